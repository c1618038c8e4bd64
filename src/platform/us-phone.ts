import { phoneDigits } from './phone.ts'

/**
 * Area codes of other countries of the North American plan: of Canada, then of the Caribbean and Bermuda. A new one that
 * is missing here is accepted. See docs/decisions/085.
 */
const otherCountries = new Set(
  (
    '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450 460 ' +
    '468 474 506 514 519 537 548 568 579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 ' +
    '807 819 825 867 873 879 902 905 942 ' +
    '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876'
  ).split(' '),
)

/** Area codes of no place: toll-free, personal, paid and federal numbers. None of them gets text messages. */
const ofNoPlace = /^(?:5(?:00|2[1-9])|[67]00|710|88\d|900)$/

/**
 * Returns whether ten digits can be a number of the US: an area code that can be one of its places, and an exchange that is
 * no service code. Codes whose last two digits are equal, and the groups 37x, 96x and x9x, are assigned to no place.
 */
function isUsNumber(digits: string): boolean {
  const area = digits.slice(0, 3)
  const isPlace = /^(?!37|96)[2-9](?!9|(\d)\1)/.test(area) && !ofNoPlace.test(area)
  return isPlace && !otherCountries.has(area) && /^(?!.11)[2-9]/.test(digits.slice(3))
}

/** Returns the message key of the error in a phone number, or null when it is empty or valid. */
export function phoneProblem(text: string): string | null {
  if (text.trim() === '') return null
  const digits = phoneDigits(text)
  if (digits === null || digits.length !== 10) return 'validation.phone_format'
  return isUsNumber(digits) ? null : 'validation.phone_us'
}
