import { expect, test } from 'vitest'
import { mayReview, type Reviewable, reviewUrl } from './rules.ts'

const now = new Date('2026-03-10T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
const transaction = (over: Partial<Reviewable> = {}): Reviewable => ({
  transactionTypeCode: 'S',
  transactionStatus: 'paid',
  awardStatus: 'Awarded',
  transactionCreatedAt: daysAgo(3),
  date: daysAgo(3).slice(0, 10),
  ...over,
})
const may = (over: Partial<Reviewable> = {}, isReviewed = false) => mayReview(transaction(over), { isReviewed, now })

test('HIST-019 only settled and manually entered transactions can be reviewed', () => {
  const codes = ['S', 'M', 'J', '+', 'A', 'B'] as const
  expect(codes.filter((transactionTypeCode) => may({ transactionTypeCode }))).toEqual(['S', 'M'])
})

test('HIST-020 CONST-022 reviews are possible from 1 February 2021', () => {
  const then = new Date('2021-02-10T00:00:00Z')
  const eaten = (date: string) =>
    mayReview(transaction({ date, transactionCreatedAt: `${date}T12:00:00Z` }), { isReviewed: false, now: then })
  expect([eaten('2021-01-31'), eaten('2021-02-01')]).toEqual([false, true])
})

test('HIST-021 CONST-011 day 35 counts until its end, day 36 does not', () => {
  const after = (days: number) => may({ transactionCreatedAt: daysAgo(days) })
  expect([after(35), after(35.99), after(36)]).toEqual([true, true, false])
})

test('HIST-022 a reviewed, forfeited or deferred transaction cannot be reviewed', () => {
  expect(may({}, true)).toBe(false)
  expect(may({ awardStatus: 'Forfeit' })).toBe(false)
  expect(may({ awardStatus: 'Deferred' })).toBe(false)
  expect(may({ awardStatus: 'Pending' })).toBe(true)
})

test('HIST-023 the address contains date, restaurant, transaction, family and kind', () => {
  const address = new URL(
    reviewUrl(
      'https://forms.example.com/reviews/skyharbor',
      {
        // Half past eleven in the evening of the 7th in New York.
        date: '2026-03-08',
        transactionCreatedAt: '2026-03-08T04:30:00.000Z',
        timeZone: 'America/New_York',
        merchantId: 'corner-bistro-1',
        merchantName: 'Corner & Bistro',
        sourceTransactionId: 'abc',
        transactionTypeCode: 'M',
      },
      'fam',
    ),
  )
  expect(Object.fromEntries(address.searchParams)).toEqual({
    date: '2026-03-07',
    merchantId: 'corner-bistro-1',
    transactionId: 'abc',
    familyId: 'fam',
    merchantName: 'Corner & Bistro',
    settleType: 'manual',
  })
})

test('HIST-023 a transaction without a known restaurant has an empty id in the address', () => {
  const transaction = {
    date: '2026-03-08',
    transactionCreatedAt: '2026-03-08T04:30:00.000Z',
    timeZone: null,
    merchantId: null,
    merchantName: 'Bistro',
    sourceTransactionId: 'abc',
    transactionTypeCode: 'S',
  } as const
  const { searchParams } = new URL(reviewUrl('https://forms.example.com/r', transaction, 'fam'))
  const sent = ['date', 'merchantId', 'settleType'].map((name) => searchParams.get(name))
  expect(sent).toEqual(['2026-03-08', '', 'settle'])
})
