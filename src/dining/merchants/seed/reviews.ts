import type { Random } from '../../../platform/random.ts'

const firstNames =
  'Ana,Ben,Carla,Dev,Ella,Farid,Grace,Hugo,Ines,Jonas,Kim,Liam,Mara,Nils,Olga,Priya,Quinn,Rosa,Sam,Tess,Uma,Victor,Wren,Yara'.split(
    ',',
  )
const openings: Record<number, readonly string[]> = {
  5: [
    'We drove across town for this and would again.',
    'The best evening of our month.',
    'Everything came out just right.',
  ],
  4: ['A very good meal, and calm service.', 'Nearly everything was lovely.', 'We will be back.'],
  3: ['Good, with one or two slips.', 'Pleasant, though a little slow.', 'Fine for a weeknight.'],
  2: ['We expected more.', 'The room was loud and the wait was long.'],
  1: ['Not our evening.', 'We left before dessert.'],
}
const closings: Record<number, readonly string[]> = {
  5: ['Order it twice.', 'Sit at the counter if you can.', 'Book ahead.'],
  4: ['Portions are generous.', 'Ask what came in that morning.', 'The staff know the list well.'],
  3: ['Come early.', 'The lunch menu is the better deal.'],
  2: ['Perhaps on a quieter night.'],
  1: ['They did take it off the bill.'],
}

/** Generates up to twelve reviews that fit a cuisine; half of a program's restaurants have high ratings. */
export function writeReviews(random: Random, dishes: readonly string[]) {
  const count = random.chance(0.12) ? 0 : random.int(1, 12)
  const typical = random.pick([3.6, 4.1, 4.4, 4.7])
  return Array.from({ length: count }, () => {
    const rating = Math.min(5, Math.max(1, Math.round(typical + random.gaussian() * 0.7)))
    const dish = random.pick(dishes).toLowerCase()
    const opening = random.pick(openings[rating] as readonly string[])
    const closing = random.pick(closings[rating] as readonly string[])
    return {
      rating,
      author: `${random.pick(firstNames)} ${random.pick('ABCDEFGHKLMNPRSTW'.split(''))}.`,
      body: `${opening} The ${dish} ${rating >= 4 ? 'was a joy' : 'could have been warmer'}. ${closing}`,
      visitedOn: `2026-0${random.int(1, 9)}-${String(random.int(1, 28)).padStart(2, '0')}`,
    }
  })
}
