import { expect, vi } from 'vitest'
import { asOwner, type TestApp } from './app.ts'
import type { CardMember } from './card-member.ts'

/** Returns a UTC day so many days ago, as `YYYY-MM-DD`. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Returns the form of a member who misses a transaction of $48.00, twelve days ago. */
export const claimForm = (member: CardMember, over: Record<string, unknown> = {}) => ({
  date: daysAgo(12),
  merchantName: 'Corner Bistro',
  merchantId: member.merchant.slug,
  amount: '48.00',
  ...over,
})

export const openClaim = (member: CardMember, over: Record<string, unknown> = {}) =>
  member.visitor.change('POST', '/api/Member/Claims', claimForm(member, over))

/** Waits until the application has carried out the decision of a claim; returns the outcome. */
export const settleClaim = (app: TestApp, id: string) =>
  vi.waitFor(async () => {
    const rows = await asOwner<{ code: string }>(
      app,
      "select decision ->> 'code' as code from claims where public_id = $1 and settled_at is not null",
      [id],
    )
    expect(rows).toHaveLength(1)
    return rows[0]?.code
  }, 15_000)
