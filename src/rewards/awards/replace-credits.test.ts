import { expect, test } from 'vitest'
import { DAY } from '../../platform/time.ts'
import { isCredited, isSameWithinTip } from './replace-credits.ts'

test('an amount is that of the claim from 70 % to 140 % of it, exactly', () => {
  const isSame = (named: number, amounts: number[]) => amounts.map((cents) => isSameWithinTip(cents, named))
  expect(isSame(100_00, [69_99, 70_00, 140_00, 140_01])).toEqual([false, true, true, false])
  // Products whose fractions are not exact.
  expect(isSame(45, [31, 32, 63, 64])).toEqual([false, true, true, false])
  expect(isSame(90, [62, 63, 126, 127])).toEqual([false, true, true, false])
})

test('a credit is that of the transaction of the same member and restaurant, up to a day and a half from noon', () => {
  const dinedAt = new Date('2026-03-10T12:00:00Z')
  const credit = { memberId: 1, merchantId: 2, merchantName: 'Corner Bistro', dinedAt, cents: 50_00 }
  const isOf = (over: object = {}, given: object = credit) =>
    isCredited(
      {
        member_id: 1,
        merchant_id: 2,
        merchant_name: 'CORNER BISTRO',
        occurred_at: dinedAt,
        ticket_cents: 50_00,
        cleared_cents: 60_00,
        ...over,
      },
      { ...credit, ...given },
    )
  const at = (milliseconds: number) => isOf({ occurred_at: new Date(dinedAt.getTime() + milliseconds) })
  expect([-1.5 * DAY - 1, -1.5 * DAY, 0, 1.5 * DAY, 1.5 * DAY + 1].map(at)).toEqual([false, true, true, true, false])
  expect([isOf({ member_id: 3 }), isOf({ merchant_id: 3 }), isOf({ merchant_id: 3 }, { merchantId: null })]).toEqual([
    false,
    false,
    true,
  ])
  // The larger of both amounts counts.
  expect([isOf({ cleared_cents: 70_00 }), isOf({ cleared_cents: 70_01 }), isOf({ ticket_cents: 70_01 })]).toEqual([
    true,
    false,
    false,
  ])
})
