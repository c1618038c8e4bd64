import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { decimalFromCents, formatCents } from '../../../platform/money.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import type { RewardUnit } from '../../earning/terms.ts'
import type { JournalDetail, ListedEntry, TrialBalance } from './contract.ts'
import { accountNames, kindNames, sourceNames, unitNames } from './journal-names.ts'
import * as store from './store.ts'
import { listBalances } from './trial-balance.ts'

const amountText = (ctx: OperatorCtx, unit: RewardUnit, amount: number): string =>
  unit === 'cent' ? formatCents(amount) : formatReward(ctx.program.config, amount)

const toMember = ({ memberId, memberName }: { memberId: string | null; memberName: string | null }) =>
  memberId === null ? null : { id: memberId, name: memberName ?? '' }

const toListed = (ctx: OperatorCtx, row: store.EntryRow): ListedEntry => ({
  id: row.id,
  postedAt: row.postedAt.toISOString(),
  source: row.source,
  kind: row.kind,
  member: toMember(row),
  postings: row.postings.map(({ account, unit, amount }) => ({ account, amount: amountText(ctx, unit, amount) })),
})

type ListQuery = Parameters<typeof store.listJournal>[1]

/** Returns one page of a program's journal. */
export async function listJournal(ctx: OperatorCtx, query: ListQuery) {
  const { rows, next, total } = await store.listJournal(ctx.db, query)
  return { items: rows.map((row) => toListed(ctx, row)), next, total }
}

const csvColumns = ['posted', 'entry', 'what', 'source', 'id of the source', 'member', 'account', 'unit', 'amount']

/** Sends the postings of the same list as a CSV file, a line each. Times are UTC; amounts are numbers. */
export async function exportJournal(ctx: OperatorCtx, filter: store.JournalFilter, http: HttpContext): Promise<void> {
  async function* pages() {
    for await (const rows of store.readJournal(ctx.db, filter))
      yield rows.flatMap((row) =>
        row.postings.map(({ account, unit, amount }) => [
          row.postedAt.toISOString(),
          row.id,
          kindNames[row.kind] ?? row.kind,
          sourceNames[row.source],
          row.sourceId,
          row.memberName ?? '',
          accountNames[account],
          unitNames[unit].toLowerCase(),
          unit === 'cent' ? decimalFromCents(amount) : amount,
        ]),
      )
  }
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'journal', id: 'export' }, after: asked }))
  await sendCsv(http, { name: `${ctx.partnerId}-journal.csv`, columns: csvColumns, pages: pages() })
}

/** Returns a journal entry with its postings and what caused it. Throws `notFound`. */
export async function getJournalEntry(ctx: OperatorCtx, id: number): Promise<JournalDetail> {
  const entry = await store.findEntry(ctx.db, id)
  if (!entry) throw new ApiError('notFound')
  const [postings, versions] = await Promise.all([store.listPostings(ctx.db, id), store.listVersions(ctx.db, entry)])
  const { source, sourceId, version, kind, reason } = entry
  return {
    id,
    postedAt: entry.postedAt.toISOString(),
    source,
    sourceId,
    version,
    kind,
    reasonCode: source === 'adjustment' || source === 'payment' ? '' : (reason.code ?? ''),
    words: reason.words ?? '',
    by: reason.by ?? [],
    cause: await causeOf(ctx, entry, postings),
    postings: postings.map((posting) => ({
      id: posting.id,
      account: posting.account,
      amount: amountText(ctx, posting.unit, posting.amount),
      member: toMember(posting),
      restaurant: posting.merchantId === null ? null : { id: posting.merchantId, name: posting.merchantName ?? '' },
    })),
    versions: versions.map((each) => ({ ...each, postedAt: each.postedAt.toISOString() })),
  }
}

async function causeOf(
  ctx: OperatorCtx,
  { source, sourceId, reason }: store.EntryDetail,
  postings: readonly store.DetailedPosting[],
): Promise<JournalDetail['cause']> {
  if (source === 'transaction') {
    const transaction = await store.findTransaction(ctx.db, sourceId)
    return transaction ? { type: 'transaction', ...transaction } : null
  }
  if (source === 'statement-credit') return { type: 'credit', id: sourceId, label: 'Statement credit' }
  if (source === 'payment')
    return reason.invoice === undefined ? null : { type: 'invoice', id: reason.invoice, label: reason.invoice }
  if (source === 'debt') {
    const debtor = await store.findDebtor(ctx.db, sourceId)
    return debtor ? { type: 'member', ...debtor } : null
  }
  const member = postings.flatMap((posting) => toMember(posting) ?? [])[0]
  return member ? { type: 'member', id: member.id, label: member.name } : null
}

/** Returns the trial balance of a day; by default of today. */
export async function getTrialBalance(
  ctx: OperatorCtx,
  day = ctx.now().toISOString().slice(0, 10),
): Promise<TrialBalance> {
  const lines = await listBalances(ctx.db, day)
  const units = [...new Set(lines.map(({ unit }) => unit))]
  return {
    day,
    lines: lines.map(({ account, unit, ...amounts }) => ({
      account,
      unit,
      before: amountText(ctx, unit, amounts.before),
      taken: amountText(ctx, unit, amounts.taken),
      added: amountText(ctx, unit, amounts.added),
      after: amountText(ctx, unit, amounts.after),
    })),
    sums: units.map((unit) => {
      const own = lines.filter((line) => line.unit === unit)
      const [before, after] = [
        own.reduce((sum, line) => sum + line.before, 0),
        own.reduce((sum, line) => sum + line.after, 0),
      ]
      return {
        unit,
        before: amountText(ctx, unit, before),
        after: amountText(ctx, unit, after),
        isZero: before === 0 && after === 0,
      }
    }),
  }
}
