import { expect, test } from 'vitest'
import { mostCards, ProgramConfig } from '../../programs/partners/schemas.ts'
import { AddCardForm } from './schemas.ts'

test('a form takes as many cards as any program can allow, and no more', () => {
  const form = (count: number) => ({
    creditCards: Array.from({ length: count }, (_, index) => ({
      cardId: `card-${index}`,
      lastFour: '4242',
      cardType: 'VISA',
    })),
    directFileFeedOptIn: true,
    gRecaptchaResponse: '',
  })
  const { maximumCards } = ProgramConfig.shape
  expect(maximumCards.safeParse(mostCards).success).toBe(true)
  expect(maximumCards.safeParse(mostCards + 1).success).toBe(false)
  expect(AddCardForm.safeParse(form(mostCards)).error).toBeUndefined()
  expect(AddCardForm.safeParse(form(mostCards + 1)).success).toBe(false)
})
