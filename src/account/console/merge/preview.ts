import { tierNamesOf } from '../../../console-kit/tier-names.ts'
import type { MemberRow } from '../../../identity/members/service.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { fingerprintOf } from '../../../platform/database/dry-run.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { formatCents, formatCount } from '../../../platform/money.ts'
import type { TierLevel } from '../../../programs/partners/contract.ts'
import { yearOf } from '../../../programs/partners/rules.ts'
import { type MemberYear, readYears } from '../../../rewards/awards/dining-progress.ts'
import { nameOf } from '../member-words.ts'
import type { MergePreview } from '../schemas.ts'
import { movedThings } from './schemas.ts'
import * as store from './store.ts'

interface Accounts {
  from: MemberRow
  to: MemberRow
}

/** What a merge changes of two accounts, as it is at a moment. */
export interface MergeState {
  counts: store.MergeCounts
  balances: Awaited<ReturnType<typeof store.listBalances>>
  years: ReadonlyMap<number, MemberYear>
  kept: MemberRow | undefined
}

/** Reads the state of two accounts: the counts are those of the one that ends. */
export async function readState(tx: Tx, ctx: OperatorCtx, { from, to }: Accounts): Promise<MergeState> {
  const year = yearOf(ctx.program.config, ctx.now())
  return {
    counts: await store.countRows(tx, from),
    balances: await store.listBalances(tx, { from: from.id, to: to.id }),
    years: await readYears(tx, [from.id, to.id], year),
    kept: await store.findRow(tx, to.id),
  }
}

/** Returns what a merge has done, in its transaction. */
export async function describeMerge(
  tx: Tx,
  ctx: OperatorCtx,
  { from, to }: Accounts,
  { before, after }: { before: MergeState; after: MergeState },
): Promise<MergePreview> {
  const { counts } = before
  const changes = await store.listChanges(tx, to.id)
  const balanceOf = (unit: string, state: MergeState) => state.balances.find((each) => each.unit === unit)
  const units = [...new Set([...before.balances, ...after.balances].map(({ unit }) => unit))]
  const outcome = {
    from: partyOf(from),
    into: partyOf(to),
    typed: from.partner_number === null ? ('referralCode' as const) : ('memberNumber' as const),
    moves: movedThings
      .map((what) => ({ what, count: counts[what] - after.counts[what] }))
      .filter(({ what, count }) => count > 0 || what === 'linkedCards' || what === 'transactions'),
    movesNumber: from.partner_number !== null && to.partner_number === null,
    ends: { passkeys: counts.passkeys, sessions: counts.sessions, devices: counts.devices },
    stays: {
      emails: counts.emails,
      consents: counts.consents,
      bonuses: after.counts.bonuses,
      claims: after.counts.claims,
    },
    balances: units.map((unit) => ({
      from: amountText(unit, balanceOf(unit, before)?.from ?? 0),
      into: amountText(unit, balanceOf(unit, before)?.into ?? 0),
      after: amountText(unit, balanceOf(unit, after)?.into ?? 0),
    })),
    changes: changes.map(({ kind, unit, amount, count }) => ({ kind, amount: amountText(unit, amount), count })),
    year: {
      from: yearText(before.years.get(from.id)),
      into: yearText(before.years.get(to.id)),
      after: yearText(after.years.get(to.id)),
    },
    tier: tierOf(ctx, to, after.kept),
  }
  // Messages and sessions come and go while the operator reads.
  const { ends: _, stays: __, moves, ...lasting } = outcome
  const fingerprint = fingerprintOf({ ...lasting, moves: moves.filter(({ what }) => what !== 'notifications') })
  return { ...outcome, fingerprint }
}

const partyOf = (member: MemberRow) => ({
  id: member.public_id,
  name: nameOf({ firstName: member.first_name, lastName: member.last_name, email: member.email }),
  number: member.partner_number ?? '',
  email: member.email,
})

const yearText = (year: MemberYear | undefined) => ({
  dines: year?.dines ?? 0,
  spend: formatCents(year?.spentCents ?? 0),
})

function tierOf(ctx: OperatorCtx, before: MemberRow, after: MemberRow | undefined): MergePreview['tier'] {
  const names = tierNamesOf(ctx)
  return {
    before: names[before.tier_level as TierLevel],
    after: names[(after ?? before).tier_level as TierLevel],
    vipFrom: after?.vip_from ?? null,
    vipUntil: after?.vip_until ?? null,
  }
}

/** An account may have a balance in the unit that the program had before. */
function amountText(unit: string, amount: number): string {
  if (unit === 'cent') return formatCents(amount)
  return `${formatCount(amount)} ${Math.abs(amount) === 1 ? unit : `${unit}s`}`
}
