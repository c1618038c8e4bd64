import { actName } from '../../../console-kit/act-words.ts'
import { spellOut } from '../../../console-kit/spell-out.ts'
import { tierNamesOf } from '../../../console-kit/tier-names.ts'
import { timeText } from '../../../console-kit/times.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { interpolate } from '../../../platform/interpolate.ts'
import { decimalFromCents, formatCents } from '../../../platform/money.ts'
import { describeRate, formatReward, rewardNumber } from '../../../programs/partners/rates.ts'
import { statusLabelOf } from '../../awards/read-transaction.ts'
import { findTransactionByPublicId, reasonOf, type TransactionRow } from '../../awards/store.ts'
import { reasonName } from '../../earning/console/reason-names.ts'
import type { AwardStatus } from '../../earning/contract.ts'
import { explain } from '../../earning/explain.ts'
import type { AwardInput } from '../../earning/terms.ts'
import { listMessagesOf, maskedBody, type RawMessage } from '../../feed/raw-messages.ts'
import { accountNames, kindNames } from '../../ledger/console/journal-names.ts'
import { timelineOf } from '../transaction-timeline.ts'
import type { ListedTransaction, TransactionDetail } from './contract.ts'
import { inputNames, stageNames, unitNames } from './names.ts'
import * as store from './store.ts'

function toListed({ program }: Ctx, row: store.ListedRow): ListedTransaction {
  const { id, networkId, merchantName, merchantId, cardLastFour, cents, refundedCents } = row
  return {
    id,
    networkId,
    dinedAt: row.dinedAt.toISOString(),
    merchantName,
    merchantId,
    member: row.memberId === null ? null : { id: row.memberId, name: row.memberName ?? '' },
    cardLastFour,
    cents,
    refundedCents,
    reward: formatReward(program.config, row.benefit),
    awardStatus: row.award_status as AwardStatus,
    status: statusLabelOf(row as unknown as Parameters<typeof statusLabelOf>[0], program.config.timeZone),
    reasonCode: row.reason.code ?? '',
  }
}

type ListQuery = Parameters<typeof store.listTransactions>[1]

/** Returns one page of a program's transactions. */
export async function listTransactions(ctx: OperatorCtx, query: ListQuery) {
  const { rows, next, total } = await store.listTransactions(ctx.db, query, ctx.program.config.timeZone)
  return { items: rows.map((row) => toListed(ctx, row)), next, total }
}

const csvColumns = [
  'Time (UTC)',
  'Id',
  'Network id',
  'Restaurant',
  'Member',
  'Card',
  'Bill ($)',
  'Refunded ($)',
  'Reward',
  'Status',
  'Why',
]

/** Sends the same list as a CSV file. Times are UTC. */
export async function exportTransactions(
  ctx: OperatorCtx,
  filter: store.TransactionFilter,
  http: HttpContext,
): Promise<void> {
  async function* pages() {
    for await (const rows of store.readTransactions(ctx.db, filter, ctx.program.config.timeZone))
      yield rows.map((row) => toCells(ctx, row, toListed(ctx, row)))
  }
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'transactions', id: 'export' }, after: asked }))
  await sendCsv(http, { name: `${ctx.partnerId}-transactions.csv`, columns: csvColumns, pages: pages() })
}

const toCells = ({ program }: OperatorCtx, listed: store.ListedRow, row: ListedTransaction): (string | number)[] => [
  row.dinedAt,
  row.id,
  row.networkId,
  row.merchantName,
  row.member?.name ?? '',
  row.cardLastFour,
  decimalFromCents(row.cents),
  decimalFromCents(row.refundedCents),
  rewardNumber(program.config, listed.benefit),
  row.status,
  reasonName(row.reasonCode),
]

/** Returns a transaction with everything that is known about it. Throws `notFound`. */
export async function getTransaction(ctx: OperatorCtx, id: string): Promise<TransactionDetail> {
  const [transaction, listed] = await Promise.all([findTransactionByPublicId(ctx.db, id), store.findListed(ctx.db, id)])
  if (!transaction || !listed) throw new ApiError('notFound')
  const { config } = ctx.program
  const say = ({ key, params }: { key: string; params: Record<string, string> }) => interpolate(ctx.t(key), params)
  const [timeline, journal, acts, messages] = await Promise.all([
    timelineOf(ctx, transaction),
    store.listJournal(ctx.db, transaction.network_id),
    store.listActs(ctx.db, 'transaction', id),
    transaction.type_code === 'S' ? listMessagesOf(ctx.db, transaction.network_id) : [],
  ])
  const inputs: AwardInput | undefined = reasonOf(transaction).inputs
  return {
    ...toListed(ctx, listed),
    locationId: transaction.network_location_id,
    stage: transaction.stage as TransactionDetail['stage'],
    isBonus: transaction.type_code === 'B',
    isManual: transaction.type_code === 'M',
    clearedAt: transaction.cleared_at?.toISOString() ?? null,
    paidAt: transaction.paid_at?.toISOString() ?? null,
    ticketCents: transaction.ticket_cents,
    clearedCents: transaction.cleared_cents,
    unmatched: transaction.unmatched as TransactionDetail['unmatched'],
    memberWords: wordsOf(ctx, transaction),
    sum: timeline.sum.map((line) => ({ label: say(line), amount: line.amount })),
    inputs: inputs ? inputLines(ctx, transaction, inputs) : [],
    steps: [
      ...timeline.steps.map((step) => ({ at: step.at, text: say(step), by: null })),
      ...acts.map(({ at, action, by, reason }) => ({ at: at.toISOString(), text: actText(action, reason), by })),
    ],
    next: timeline.next && say(timeline.next),
    journal: journal.map(({ id: entryId, kind, postings, reasonCode, postedAt }) => ({
      id: entryId,
      kind: nameIn(kindNames, kind),
      postedAt: postedAt.toISOString(),
      reasonCode: reasonCode ?? '',
      postings: postings.map(({ account, unit, amount }) => ({
        account: nameIn(accountNames, account),
        // Restaurants and partners are owed money, whatever members earn.
        amount:
          account === 'member' || account === 'program' || account === 'payout'
            ? formatReward(config, amount)
            : unit === 'cent'
              ? formatCents(amount)
              : `${amount} ${nameIn(unitNames, unit)}`,
      })),
    })),
    messages: messages.map(toShownMessage),
  }
}

function wordsOf(ctx: Ctx, transaction: TransactionRow): string {
  const { key, params } = explain(ctx.program.config, {
    reason: reasonOf(transaction),
    merchantName: transaction.merchant_name,
    benefit: transaction.benefit,
    awardStatus: transaction.award_status as AwardStatus,
  })
  return interpolate(ctx.t(key), params)
}

const toShownMessage = ({ event, networkId, updatedAt, receivedAt, outcome, body }: RawMessage) => ({
  key: `${event}:${networkId}:${updatedAt.getTime()}`,
  event,
  networkId,
  receivedAt: receivedAt.toISOString(),
  outcome,
  body: maskedBody(body),
})

/** Returns the words for a stored value, also for one of an earlier version. */
const nameIn = (names: Readonly<Record<string, string>>, value: string): string => names[value] ?? spellOut(value)

const actText = (action: string, reason: string) => `${actName(action)}${reason && `: ${reason}`}`

/** Returns what decided an award, by name. */
function inputLines(ctx: Ctx, row: TransactionRow, inputs: AwardInput): TransactionDetail['inputs'] {
  const { config } = ctx.program
  const { program, member, merchant } = inputs
  const reason = reasonOf(row)
  const rates = { ...config, earnRates: { ...config.earnRates, ...program.earnRates } }
  const lines: [string, string | undefined][] = [
    ['Rule', `version ${reason.rule}`],
    ['Stage', stageNames[inputs.stage]],
    ['Tier', member ? `${tierNamesOf(ctx)[member.tier]}${member.granted ? ', given until a day' : ''}` : undefined],
    ['Rate of the tier', member ? describeRate(rates, member.tier, 100, inputs.flexRate ?? 0) : undefined],
    ['Card linked', member?.cardLinkedAt ? timeText(member.cardLinkedAt, config.timeZone) : undefined],
    ['Account', member ? (member.open ? 'open' : 'closed') : 'card unknown'],
    ['Restaurant', merchant ? (merchant.participating ? 'takes part' : 'takes no part') : 'unknown'],
    [
      'Offers',
      merchant?.offers.map(({ type, ratePercent }) => `${nameIn(inputNames, type)} ${ratePercent}%`).join(', '),
    ],
    ['Time zone', merchant?.timeZone],
    ['Tip', inputs.tipCents === undefined ? undefined : formatCents(inputs.tipCents)],
    ['Tax', inputs.taxCents === undefined ? undefined : formatCents(inputs.taxCents)],
    ['Earlier visits this month', row.is_limited ? String(inputs.earlierVisits) : undefined],
    ['Minimum', program.minimumCents === undefined ? undefined : formatCents(program.minimumCents)],
    ['Review', inputs.review && nameIn(inputNames, inputs.review)],
    ['Waiting', inputs.waiting && nameIn(inputNames, inputs.waiting)],
  ]
  return lines.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]))
}
