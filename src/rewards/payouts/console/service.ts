import { lockMember } from '../../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { decimalFromCents, formatCents } from '../../../platform/money.ts'
import { getBalance } from '../../ledger/entries.ts'
import { decide } from '../outcomes.ts'
import { type Decision, decisionsFor, isChecking, placeOf } from '../rules.ts'
import type { CreditDetail, DecisionPreview, ListedCredit } from './contract.ts'
import { attentionNames, stateNames } from './credit-names.ts'
import * as store from './store.ts'

const stateOf = (row: store.CreditRow): ListedCredit['state'] => (isChecking(row) ? 'checking' : placeOf(row.status))

/** The brand of an unknown card or provider says nothing. */
function targetOf({ brand, delivery }: Pick<store.CreditRow, 'brand' | 'delivery'>): string {
  const known = brand === 'XXXX' ? '' : brand
  return delivery === 'Card' ? `${known} card`.trim() : `${known} by email`.trim()
}

const toListed = (row: store.CreditRow): ListedCredit => ({
  id: row.id,
  orderedAt: row.orderedAt.toISOString(),
  cents: row.cents,
  member: { id: row.memberId, name: row.memberName },
  state: stateOf(row),
  attention: row.attention,
  target: targetOf(row),
  processor: row.processor,
  unanswered: row.unanswered,
})

type ListQuery = Parameters<typeof store.listCredits>[1]

/** Returns one page of a program's statement credits. */
export async function listCredits(ctx: OperatorCtx, query: ListQuery) {
  const { rows, next, total } = await store.listCredits(ctx.db, query, ctx.program.config.timeZone)
  return { items: rows.map(toListed), next, total }
}

const csvColumns = ['ordered', 'id', 'member', 'amount', 'state', 'needs', 'paid to', 'processor', 'without an answer']

const toCells = (row: ListedCredit): (string | number)[] => [
  row.orderedAt,
  row.id,
  row.member.name,
  decimalFromCents(row.cents),
  stateNames[row.state].label,
  row.attention === null ? '' : attentionNames[row.attention],
  row.target,
  row.processor,
  row.unanswered,
]

/** Sends the same list as a CSV file. Times are UTC. */
export async function exportCredits(ctx: OperatorCtx, filter: store.CreditFilter, http: HttpContext): Promise<void> {
  async function* pages() {
    for await (const rows of store.readCredits(ctx.db, filter, ctx.program.config.timeZone))
      yield rows.map((row) => toCells(toListed(row)))
  }
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'credits', id: 'export' }, after: asked }))
  await sendCsv(http, { name: `${ctx.partnerId}-statement-credits.csv`, columns: csvColumns, pages: pages() })
}

async function requireCredit(db: OperatorCtx['db'] | Tx, id: string): Promise<store.CreditRow> {
  const row = await store.findCredit(db, id)
  if (!row) throw new ApiError('notFound')
  return row
}

/** Returns a credit with its history. Throws `notFound`. */
export async function getCredit(ctx: OperatorCtx, id: string): Promise<CreditDetail> {
  const row = await requireCredit(ctx.db, id)
  const [events, journal] = await Promise.all([store.listEvents(ctx.db, row.rowId), store.listEntries(ctx.db, id)])
  const isAsked = placeOf(row.status) === 'open' || row.checksLeft > 0
  return {
    ...toListed(row),
    sentAt: row.submittedAt?.toISOString() ?? null,
    nextAttemptAt: isAsked ? row.nextAttemptAt.toISOString() : null,
    lastError: row.lastError,
    resubmitted: row.resubmitted,
    decisions: decisionsFor(row.status, row.attention).filter((decision) => decision !== 'ask'),
    events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
    journal: journal.map((entry) => ({ ...entry, postedAt: entry.postedAt.toISOString() })),
  }
}

const objectOf = ({ id, cents }: store.CreditRow) => ({
  type: 'statement-credit',
  id,
  label: `Statement credit of ${formatCents(cents)}`,
})

/** Has a job ask the processor at once. Throws `notFound`, and `conflict` when it cannot be asked. */
export async function askProcessor(ctx: OperatorCtx, id: string): Promise<CreditDetail> {
  const row = await requireCredit(ctx.db, id)
  await inTransaction(ctx.db, async (tx) => {
    const asked = { creditId: row.rowId, decision: 'ask', reason: '', by: ctx.operator.name } as const
    if (!(await decide(tx, ctx, asked))) throw new ApiError('conflict')
    await ctx.record(tx, { object: objectOf(row), after: { asked: true }, memberId: row.memberRowId })
  })
  return getCredit(ctx, id)
}

/** A decision that says why; asking the processor needs no reason. */
type MoneyDecision = Exclude<Decision, 'ask'>

/** Returns what a decision would do, by doing it in a transaction that is rolled back. Throws as the decision. */
export function previewDecision(ctx: OperatorCtx, id: string, decision: MoneyDecision): Promise<DecisionPreview> {
  return carryOut(ctx, id, { decision, reason: 'a dry run' }, { isDry: true })
}

/**
 * Carries a decision out. Throws `notFound`, `accountBusy`, and `conflict` when the credit does not allow it by now, or when
 * the outcome is another than the one that the operator was shown: nothing is stored then.
 */
export async function decideCredit(
  ctx: OperatorCtx,
  id: string,
  { fingerprint, ...form }: { decision: MoneyDecision; reason: string; fingerprint: string },
): Promise<CreditDetail> {
  await carryOut(ctx, id, form, { isDry: false, fingerprint })
  return getCredit(ctx, id)
}

async function carryOut(
  ctx: OperatorCtx,
  id: string,
  { decision, reason }: { decision: MoneyDecision; reason: string },
  { isDry, fingerprint }: { isDry: boolean; fingerprint?: string },
): Promise<DecisionPreview> {
  const { rowId, memberRowId } = await requireCredit(ctx.db, id)
  return tryOrDo({ isDry }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      await lockMember(tx, memberRowId)
      const before = await requireCredit(tx, id)
      const [centsBefore, lastId] = [await getBalance(tx, memberRowId, 'cent'), await store.findLastId(tx, memberRowId)]
      const by = ctx.operator.name
      if (!(await decide(tx, ctx, { creditId: rowId, decision, reason, by }))) throw new ApiError('conflict')
      const after = await requireCredit(tx, id)
      const outcome = {
        stateAfter: stateOf(after),
        attentionAfter: after.attention,
        centsBefore,
        centsAfter: await getBalance(tx, memberRowId, 'cent'),
        ordered: (await store.listLaterCredits(tx, { memberRowId, afterId: lastId })).map((credit) => ({
          cents: credit.cents,
          target: targetOf(credit),
        })),
      }
      const preview = { ...outcome, fingerprint: fingerprintOf({ ...outcome, was: before.status }) }
      if (isDry) return finish(preview)
      if (preview.fingerprint !== fingerprint) throw new ApiError('conflict')
      await ctx.record(tx, {
        object: objectOf(before),
        before: { state: stateOf(before), attention: before.attention, balance: formatCents(centsBefore) },
        after: { decision, state: outcome.stateAfter, balance: formatCents(outcome.centsAfter) },
        reason,
        memberId: memberRowId,
      })
      return finish(preview)
    }),
  )
}
