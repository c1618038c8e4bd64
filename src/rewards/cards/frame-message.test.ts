import { expect, test } from 'vitest'
import { readFrameMessage } from './frame-message.ts'

const card = {
  type: 'dineback-card',
  encryptedCardNumber: 'x'.repeat(50),
  lastFour: '0119',
  cardType: 'VISA',
}
const state = { type: 'dineback-frame', state: 'invalid', wrong: 'expiry', height: 180.5 }

test('the messages of the card frame are read', () => {
  const longest = { ...card, encryptedCardNumber: 'x'.repeat(4096) }
  const heights = [0, 2000].map((height) => ({ ...state, height }))
  for (const message of [card, longest, state, ...heights, { type: 'dineback-frame', state: 'ready' }]) {
    expect(readFrameMessage(JSON.stringify(message))).toEqual(message)
  }
  expect(readFrameMessage(JSON.stringify(card).padEnd(8192))).toEqual(card)
})

test('any other message is ignored', () => {
  const others = [
    { ...card, type: 'dineback' },
    { ...card, type: 'constructor' },
    { ...card, encryptedCardNumber: 'x'.repeat(49) },
    { ...card, encryptedCardNumber: 'x'.repeat(4097) },
    { ...card, lastFour: '01190' },
    { ...card, lastFour: 119 },
    { ...card, cardType: 'diners' },
    { ...card, cardNumber: '4111111111111111' },
    { ...card, state: 'ready' },
    { type: 'dineback-card' },
    { ...state, state: 'done' },
    { ...state, wrong: 'name' },
    { ...state, wrong: null },
    { ...state, both: 'yes' },
    { ...state, height: -1 },
    { ...state, height: 2001 },
    { ...state, height: '180' },
    { ...state, url: 'https://example.com' },
    [card],
    null,
    'dineback-frame',
  ]
  for (const message of others) expect([message, readFrameMessage(JSON.stringify(message))]).toEqual([message, null])
  for (const data of [
    card,
    undefined,
    '{',
    JSON.stringify(card).padEnd(8193),
    JSON.stringify({ ...state, wrong: 'x'.repeat(8200) }),
  ])
    expect(readFrameMessage(data)).toBeNull()
})
