import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPhone, phoneDigits } from '../../platform/phone.ts'
import { phoneProblem } from '../../platform/us-phone.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import type { JoinForm } from './forms.ts'
import { joinFields, joinFormProblems, joinProblems, smsOptInOf, toSend } from './rules.ts'

const programs = loadPrograms('programs')
const config = (code: string) => {
  const program = programs.get(code)
  if (!program) throw new Error(code)
  return program.config
}

test('PART-013 PART-014 PART-015 PART-009 PART-040 ENR-010 each program requires the fields that its configuration names', () => {
  expect(joinFields(config('skyharbor'))).toMatchObject({
    partnerNumber: true,
    phone: true,
    smsConsent: false,
    address: false,
    password: true,
    emailOptIn: true,
  })
  expect(joinFields(config('gallonaire'))).toMatchObject({
    partnerNumber: false,
    phone: true,
    smsConsent: true,
    address: false,
  })
  expect(joinFields(config('beacon'))).toMatchObject({
    password: false,
    namesEditable: false,
    address: false,
    phone: false,
  })
  expect(joinFields(config('orchard'))).toMatchObject({ address: true, emailOptIn: false })
})

test('VAL-014 a phone number is a US number: ten digits, area code and exchange from 2 to 9, with an optional leading 1', () => {
  expect(['', '212-555-0100', '(212) 555 0100', '1 212 555 0100', '+1.212.555.0100'].map(phoneProblem)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
  expect(['12', '212-555-010', '212x5550100', '2-212-555-0100'].map(phoneProblem)).toEqual(
    Array(4).fill('validation.phone_format'),
  )
  expect(['112-555-0100', '212-155-0100'].map(phoneProblem)).toEqual(['validation.phone_us', 'validation.phone_us'])
  // Canada, Jamaica, the Bahamas, toll-free and personal numbers, a code that is not in use, and service codes.
  for (const area of ['416', '876', '242', '800', '888', '900', '500', '222', '911', '999'])
    expect([area, phoneProblem(`${area}-555-0100`)]).toEqual([area, 'validation.phone_us'])
  expect(phoneProblem('212-911-0100')).toBe('validation.phone_us')
  expect(phoneProblem('212-411-0100')).toBe('validation.phone_us')
  // New York, its overlays, Hawaii, the newest codes, Puerto Rico, Virgin Islands, Guam, Samoa and the Marianas.
  for (const area of ['201', '212', '332', '989', '808', '472', '787', '939', '340', '671', '684', '670'])
    expect([area, phoneProblem(`${area}-555-0100`)]).toEqual([area, null])
  expect(phoneDigits('1-212-555-0100')).toBe('2125550100')
  expect(formatPhone('2125550100')).toBe('212-555-0100')
})

test('VAL-014 every area code in use in October 2026 is accepted, and so are codes that may be assigned later', () => {
  const inUse = (
    '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 220 223 224 225 227 228 229 231 ' +
    '234 235 239 240 248 251 252 253 254 256 260 262 267 269 270 272 274 276 279 281 283 301 302 303 304 ' +
    '305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 324 325 326 327 329 330 331 332 334 ' +
    '336 337 339 340 341 346 347 350 351 352 353 360 361 363 364 369 380 385 386 401 402 404 405 406 407 ' +
    '408 409 410 412 413 414 415 417 419 423 424 425 430 432 434 435 440 442 443 445 447 448 458 463 464 ' +
    '469 470 472 475 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 ' +
    '531 534 539 540 541 551 557 559 561 562 563 564 567 570 571 572 573 574 575 580 582 585 586 601 602 ' +
    '603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 628 629 630 631 636 640 641 645 ' +
    '646 650 651 656 657 659 660 661 662 667 669 670 671 678 680 681 682 684 686 689 701 702 703 704 706 ' +
    '707 708 712 713 714 715 716 717 718 719 720 724 725 726 727 728 730 731 732 734 737 738 740 743 747 ' +
    '748 754 757 760 762 763 765 769 770 771 772 773 774 775 779 781 785 786 787 801 802 803 804 805 806 ' +
    '808 810 812 813 814 815 816 817 818 820 821 826 828 830 831 832 835 838 839 840 843 845 847 848 850 ' +
    '854 856 857 858 859 860 862 863 864 865 870 872 878 901 903 904 906 907 908 909 910 912 913 914 915 ' +
    '916 917 918 919 920 925 928 929 930 931 934 936 937 938 939 940 941 943 945 947 948 949 951 952 954 ' +
    '956 959 970 971 972 973 975 978 979 980 983 984 985 986 989'
  ).split(' ')
  expect(inUse).toHaveLength(365)
  const refused = (areas: readonly string[]) => areas.filter((area) => phoneProblem(`${area}-555-0100`) !== null)
  expect(refused(inUse)).toEqual([])
  // Not in use yet, and reserved for no other country: a member who has one the day it begins is not refused.
  expect(refused(['235', '265', '389', '421', '536', '687', '746', '874'])).toEqual([])
  const others = [
    '236',
    '942',
    '647',
    '658',
    '849',
    '721',
    '522',
    '588',
    '600',
    '622',
    '700',
    '710',
    '883',
    '880',
    '370',
    '962',
    '299',
  ]
  expect(refused(others)).toEqual(others)
})

test('a valid phone number is accepted in any common format', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^(201|415|787|989)[2-9][02-9]\d{5}$/),
      fc.constantFrom('-', ' ', '.', ''),
      (digits, sign) => {
        const written = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join(sign)
        expect(phoneProblem(written)).toBeNull()
        expect(phoneDigits(written)).toBe(digits)
      },
    ),
  )
})

test('ENR-004 an explicit consent decides; the first form infers it from a number; without a number there is none', () => {
  const v1 = config('skyharbor')
  const v2 = config('gallonaire')
  expect(smsOptInOf({ phoneNumber: '2125550100' }, v1)).toBe(true)
  expect(smsOptInOf({ phoneNumber: '', smsOptInV2: true }, v2)).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, v2)).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100', smsOptInV2: true }, v2)).toBe(true)
})

test('PART-009 the full address is required where the program says so, and never in a credit program', () => {
  const form = {
    password: 'a',
    passwordConfirm: 'a',
    partnerNumber: 'ABC123456',
    phoneNumber: '',
    address1: '',
    city: '',
    state: '',
  } as JoinForm
  const fields = (full: boolean, currencyType: 'Credit' | 'Point') =>
    joinProblems(form, { ...config('orchard'), fullAddressRequired: full, currencyType }).map(({ field }) => field)
  expect(fields(true, 'Point')).toEqual(expect.arrayContaining(['address1', 'city', 'state']))
  expect(fields(true, 'Credit')).not.toContain('address1')
  expect(fields(false, 'Point')).not.toContain('address1')
})

test('ENR-002 VAL-024 the form is sent with the consent to texts and with the passwords as they were typed', () => {
  const form = { phoneNumber: '212-555-0100', password: 'p'.repeat(70), passwordConfirm: 'p'.repeat(70) } as JoinForm
  expect(toSend(form, config('skyharbor'))).toEqual({ ...form, smsOptIn: true })
  expect(toSend({ ...form, phoneNumber: '' }, config('skyharbor')).smsOptIn).toBe(false)
  expect(toSend({ ...form, smsOptInV2: true }, config('gallonaire')).smsOptIn).toBe(true)
  expect(toSend({ ...form, smsOptInV2: false }, config('gallonaire')).smsOptIn).toBe(false)
  expect(toSend(form, config('beacon'))).not.toHaveProperty('smsOptIn')
})

test('VAL-021 consent to texts requires a phone number', () => {
  const phoneErrors = (smsOptInV2: boolean, phoneNumber: string) =>
    joinProblems({ smsOptInV2, phoneNumber } as JoinForm, config('gallonaire')).filter(
      ({ field }) => field === 'phoneNumber',
    )
  expect(phoneErrors(true, '')).toEqual([{ field: 'phoneNumber', message: 'validation.phone_for_texts' }])
  expect(phoneErrors(true, '212-555-0100')).toEqual([])
  expect(phoneErrors(false, '')).toEqual([])
})

test('ENR-006 ENR-007 VAL-020 a form of a program with passwords and partner numbers is checked field by field', () => {
  const valid = {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    password: 'sourdough 4',
    passwordConfirm: 'sourdough 4',
    partnerNumber: 'SKY12345678',
    phoneNumber: '',
  }
  const problems = (over: Partial<JoinForm>, code = 'skyharbor') =>
    joinProblems({ ...valid, ...over } as JoinForm, config(code))
  expect(problems({})).toEqual([])
  expect(problems({ password: '', passwordConfirm: '' })).toEqual([
    { field: 'password', message: 'validation.new_password_missing' },
    { field: 'passwordConfirm', message: 'validation.password_confirm_missing' },
  ])
  expect(problems({ passwordConfirm: 'sourdough 5' })).toEqual([
    { field: 'passwordConfirm', message: 'validation.passwords_differ' },
  ])
  expect(problems({ partnerNumber: '' })).toEqual([
    { field: 'partnerNumber', message: 'validation.partner_number_missing' },
  ])
  expect(problems({ partnerNumber: 'SKY1' })).toEqual([
    { field: 'partnerNumber', message: 'join.partner_number_format' },
  ])
  expect(problems({ partnerNumber: ' SKY 1234 5678 ' })).toEqual([])
  expect(problems({ phoneNumber: '12' })).toEqual([{ field: 'phoneNumber', message: 'validation.phone_format' }])
  // What the partner states is neither too long nor missing.
  const long = { email: `${'a'.repeat(39)}@example.com`, firstName: 'A'.repeat(21), lastName: '' }
  expect(problems(long)).toEqual([
    { field: 'email', message: 'validation.too_long|50|join.email' },
    { field: 'firstName', message: 'validation.too_long|20|join.first_name' },
    { field: 'lastName', message: 'validation.last_name_missing' },
  ])
  expect(problems(long, 'beacon')).toEqual([])
  // A program without passwords, partner numbers and phones asks for none of them.
  expect(problems({ password: '', passwordConfirm: 'x', partnerNumber: '', phoneNumber: '12' }, 'beacon')).toEqual([])
})

test('ENR-012 VAL-021 names are fixed with single sign-on only, and a phone number of spaces is none', () => {
  const isEditable = (code: string) => joinFields(config(code)).namesEditable
  expect(['skyharbor', 'gallonaire', 'orchard', 'beacon'].map(isEditable)).toEqual([true, true, true, false])
  expect(smsOptInOf({ phoneNumber: '  ', smsOptInV2: true }, config('gallonaire'))).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, { ...config('skyharbor'), hasSmsOptInV2: true })).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, { ...config('beacon'), hasSmsOptInV2: false })).toBe(false)
  expect(joinProblems({ smsOptInV2: true, phoneNumber: '  ' } as JoinForm, config('gallonaire'))).toContainEqual({
    field: 'phoneNumber',
    message: 'validation.phone_for_texts',
  })
})

test('the page finds a short password, and one with the partner number, where members choose one', () => {
  const found = (code: string, password: string) =>
    joinFormProblems(
      {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        password,
        passwordConfirm: password,
        partnerNumber: 'SKY12345678',
        phoneNumber: '',
      } as JoinForm,
      config(code),
    )
  const problem = (message: string) => [{ field: 'password', message }]
  expect(found('skyharbor', 'sourdough 4')).toEqual([])
  expect(found('skyharbor', 'short')).toEqual(problem('validation.password_rules'))
  expect(found('skyharbor', 'my SKY12345678')).toEqual(problem('validation.password_partner_number'))
  expect(found('skyharbor', '')[0]).toEqual(problem('validation.new_password_missing')[0])
  expect(found('skyharbor', '')).toHaveLength(2)
  expect(found('beacon', 'short').filter(({ field }) => field === 'password')).toEqual([])
})
