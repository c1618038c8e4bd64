import { expect, test } from 'vitest'
import { placeKey, rounded } from './rules.ts'

test('a position is rounded to about a kilometer', () => {
  expect(rounded({ latitude: 40.75771, longitude: -73.98571 })).toEqual({ latitude: 40.76, longitude: -73.99 })
})

test('SRCH-001 common spellings of a place have one key', () => {
  const same = [
    ['st louis', 'St. Louis', 'Saint  Louis', 'SAINTE LOUIS', 'Ste. Louis'],
    ['mt vernon', 'Mount Vernon', 'Mt. Vernon'],
    ['ft worth', 'Fort Worth', 'Ft. Worth,'],
    ['coeur dalene', "Coeur d'Alene", 'Coeur d’Alene'],
    ['la canada', 'La Cañada', ' La-Canada '],
    ['north hollywood', 'N. Hollywood', 'n hollywood'],
    ['south bend', 'S Bend'],
    ['east point', 'E. Point'],
    ['west point', 'W Point'],
    ['winston n salem', 'Winston N Salem'],
    ['new york ny', 'New York, --- NY'],
  ]
  for (const [key, ...spellings] of same)
    for (const spelling of spellings) expect([spelling, placeKey(spelling)]).toEqual([spelling, key])
})
