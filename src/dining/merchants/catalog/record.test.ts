import { expect, test } from 'vitest'
import { OfferRecord } from './record.ts'

test.each(['maxSpendCents', 'maxVisitsPerMonth', 'maxMonthlySpendCents'])(
  'an unlimited offer has no %s, and a limited one may have it',
  (limit) => {
    const offer = { startsOn: '2026-01-01', [limit]: 1 }
    expect(OfferRecord.safeParse({ ...offer, type: 'Unlimited' }).success).toBe(false)
    expect(OfferRecord.safeParse({ ...offer, type: 'Limited' }).success).toBe(true)
  },
)
