import { expect, test } from 'vitest'
import { explainCard, wasLinked } from './explain-missing.ts'

const card = { id: 1, publicId: 'card', lastFour: '0002', linkedAt: new Date('2026-01-02T12:00:00Z'), removedAt: null }
const at = (instant: string) => new Date(instant)

test('a card was linked on a day until the end of the next one in UTC, which is the same day elsewhere', () => {
  const isLinked = (over: object) => wasLinked({ ...card, ...over }, '2026-03-10')
  expect(isLinked({ linkedAt: at('2026-03-11T23:59:59.999Z') })).toBe(true)
  expect(isLinked({ linkedAt: at('2026-03-12T00:00:00Z') })).toBe(false)
  expect(isLinked({ removedAt: at('2026-03-10T00:00:00.001Z') })).toBe(true)
  expect(isLinked({ removedAt: at('2026-03-10T00:00:00Z') })).toBe(false)
})

test('a day without a linked card is explained by a card linked after it began, else by one that was removed', () => {
  const explained = (...cards: object[]) =>
    explainCard(
      cards.map((over) => ({ ...card, ...over })),
      '2026-03-10',
    ).key
  const removedAt = at('2026-03-01T00:00:00Z')
  expect(explained()).toBe('claims.no_card')
  expect(explained({ removedAt }, { linkedAt: at('2026-03-10T00:00:00.001Z') })).toBe('claims.card_later')
  expect(explained({ removedAt }, { linkedAt: at('2026-03-10T00:00:00Z') })).toBe('claims.card_gone')
})
