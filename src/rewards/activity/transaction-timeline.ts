import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { addDays, dayIn } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { describeRate, formatReward } from '../../programs/partners/rates.ts'
import { findMerchantsByNetworkId } from '../awards/current-terms.ts'
import { matchingDays } from '../awards/pending.ts'
import { findTransactionByPublicId, reasonOf, type TransactionRow, timeZoneOf } from '../awards/store.ts'
import { dayText, reviewDays } from '../earning/explain.ts'
import { calculateReward } from '../earning/rules.ts'
import type { AwardInput } from '../earning/terms.ts'
import type { FeedMessage } from '../feed/message.ts'
import { placesAmong } from '../feed/places.ts'
import { groupPurchases } from '../feed/purchases.ts'
import { loadRelatedMessages } from '../feed/related-messages.ts'
import type { Report } from '../feed/reports.ts'
import { getBalance } from '../ledger/entries.ts'
import type { TransactionTimeline } from './contract.ts'

/** Days within which restaurants send the final amount. */
const clearsWithinDays = 5

type Step = TransactionTimeline['steps'][number]

/** Returns the history of one of the signed-in member's transactions. Throws error code `transactionNotFound`. */
export async function readTransactionTimeline(ctx: MemberCtx, publicId: string): Promise<TransactionTimeline> {
  const memberId = ctx.actor.memberId
  const transaction = await findTransactionByPublicId(ctx.db, publicId)
  if (!transaction || transaction.member_id !== memberId) throw new ApiError('transactionNotFound')
  return timelineOf(ctx, transaction)
}

/** Returns the history of a transaction. */
export async function timelineOf(ctx: Ctx, transaction: TransactionRow): Promise<TransactionTimeline> {
  const { config } = ctx.program
  const steps = [
    ...(await feedSteps(ctx.db, transaction)),
    ...(await ledgerSteps(ctx.db, config, transaction)),
    ...(await outcomeSteps(ctx.db, transaction)),
  ]
  // A bonus is not a transaction: it has steps, but no calculation.
  const inputs: AwardInput | undefined = reasonOf(transaction).inputs
  return {
    steps: steps.toSorted((a, b) => a.at.localeCompare(b.at)),
    sum: inputs ? sumOf(config, inputs) : [],
    next: await nextStep(ctx, transaction),
  }
}

/** Returns one step for each change that the card network reported. */
async function feedSteps(db: Db, transaction: TransactionRow): Promise<Step[]> {
  const { messages } = await loadRelatedMessages(db, [transaction.network_id], [])
  const merchants = await findMerchantsByNetworkId(
    db,
    messages.map(({ locationId }) => locationId),
  )
  const isOwn = ({ id, messages: own }: Report) => [id, ...own.map((each) => each.id)].includes(transaction.network_id)
  const reported = groupPurchases(messages, placesAmong(merchants)).find(({ reports }) => reports.some(isOwn))
  if (!reported || reasonOf(transaction).code === 'reportedTwice') return []
  const purchaseMessages = reported.report.messages.toSorted((a, b) => a.updatedAt - b.updatedAt)
  const seen = (kind: FeedMessage['event']) => withoutDuplicates(purchaseMessages.filter(({ event }) => event === kind))
  const [auths, clearings] = [seen('auth'), seen('clearing')]
  const ticket = auths.at(-1)?.cents
  return [
    ...auths.map((message) =>
      step('seen', message, { merchant: transaction.merchant_name, lastFour: transaction.card_last_four }),
    ),
    ...clearings.map((message) =>
      ticket !== undefined && message.cents > ticket
        ? step('charged_more', message, { more: formatCents(message.cents - ticket) })
        : step('charged', message),
    ),
    ...reported.refunds.map((message) => step('refunded', message)),
  ]
}

const withoutDuplicates = (messages: readonly FeedMessage[]) =>
  messages.filter((message, index) => index === 0 || messages[index - 1]?.cents !== message.cents)

function step(kind: string, { cents, updatedAt }: FeedMessage, params: Record<string, string> = {}): Step {
  const amount = formatCents(Math.abs(cents))
  return { at: new Date(updatedAt).toISOString(), key: `rewards.story.${kind}`, params: { amount, ...params } }
}

interface Posting {
  at: Date
  amount: number
  code: string | null
}

/** Returns one step for each journal entry that changed what the transaction earned. */
async function ledgerSteps(db: Db, config: PublicConfig, transaction: TransactionRow): Promise<Step[]> {
  const { rows } = await sql<Posting>`
    select j.posted_at as at, sum(p.amount)::bigint as amount, j.reason ->> 'code' as code
    from journal_entries j join postings p on p.journal_entry_id = j.id
    where j.partner_id = current_partner() and j.source = 'transaction' and j.source_id = ${transaction.network_id}
      and p.member_id in (select id from members
        where id = ${transaction.member_id} or merged_into_id = ${transaction.member_id})
    group by j.id, j.posted_at, j.version, j.reason having sum(p.amount) <> 0
    order by j.version`.execute(db)
  return rows.map(({ at, amount, code }, index) => {
    const benefit = formatReward(config, Math.abs(amount))
    const lowered = code === 'replacedByTransaction' ? 'replaced' : 'taken_back'
    const kind = index === 0 ? 'posted' : amount > 0 ? 'added' : lowered
    return { at: at.toISOString(), key: `rewards.story.${kind}`, params: { benefit } }
  })
}

/**
 * Returns its review, the statement credit that covers it, unless its amount is back in the balance, and when it took the
 * place of the credit of a claim.
 */
async function outcomeSteps(db: Db, transaction: TransactionRow): Promise<Step[]> {
  const { rows } = await sql<{ kind: 'reviewed' | 'sent' | 'on_its_way' | 'replaces'; at: Date; label: string }>`
    select 'reviewed' as kind, completed_at as at, '' as label from reviews where transaction_id = ${transaction.id}
    union all
    select case c.status when 'completed' then 'sent' else 'on_its_way' end, c.created_at, c.target_label
    from statement_credits c join journal_entries j on j.id = c.journal_entry_id
    where c.member_id = ${transaction.member_id} and c.status in ('pending', 'pending_received', 'completed')
      and j.reason -> 'covered' @> to_jsonb(${transaction.id}::bigint)
    union all
    select 'replaces', max(j.posted_at), ''
    from transactions m join journal_entries j
      on j.partner_id = m.partner_id and j.source = 'transaction' and j.source_id = m.network_id
    where m.member_id = ${transaction.member_id} and m.type_code = 'M'
      and m.reason ->> 'transaction' = ${transaction.network_id} and j.reason ->> 'transaction' = ${transaction.network_id}
    group by m.id`.execute(db)
  return rows.map(({ kind, at, label }) => ({
    at: at.toISOString(),
    key: `rewards.story.${kind}`,
    params: { target: label },
  }))
}

/** Returns the lines from bill to reward, from the inputs of the award. Lines that change nothing are left out. */
function sumOf(config: PublicConfig, inputs: AwardInput): TransactionTimeline['sum'] {
  const calculation = calculateReward(inputs)
  if (!calculation) return []
  const tier = inputs.member?.tier ?? 'OptedIn'
  const net = calculation.billCents - calculation.refundedCents - calculation.leftOutCents
  const rate = describeRate(
    { ...config, earnRates: { ...config.earnRates, ...inputs.program.earnRates } },
    tier,
    100,
    inputs.flexRate ?? 0,
  )
  const line = (name: string, amount: string, params: Record<string, string> = {}) => ({
    key: `rewards.sum.${name}`,
    params,
    amount,
  })
  return [
    line('bill', formatCents(calculation.billCents)),
    ...(calculation.refundedCents > 0 ? [line('refunded', `−${formatCents(calculation.refundedCents)}`)] : []),
    ...(calculation.leftOutCents > 0 ? [line('left_out', `−${formatCents(calculation.leftOutCents)}`)] : []),
    ...(calculation.countedCents < net ? [line('counted', formatCents(calculation.countedCents))] : []),
    ...(calculation.steppedCents < calculation.countedCents
      ? [line('steps', formatCents(calculation.steppedCents), { step: formatCents(inputs.program.earnStepCents) })]
      : []),
    line('rate', rate),
    ...(calculation.ratePercent !== 100 ? [line('offer', `${calculation.ratePercent}%`)] : []),
    ...(calculation.isCapped ? [line('maximum', formatReward(config, calculation.benefit))] : []),
    line('benefit', formatReward(config, calculation.benefit)),
  ]
}

async function nextStep(ctx: Ctx, transaction: TransactionRow): Promise<TransactionTimeline['next']> {
  const within = (days: number) => dayAfter(transaction, transaction.occurred_at, days)
  if (transaction.award_status === 'Deferred') return nextDeferred(transaction)
  if (transaction.award_status === 'Pending') {
    return transaction.stage === 'cleared'
      ? next('review', { by: within(reviewDays) })
      : next('clearing', { by: within(clearsWithinDays) })
  }
  const { currencyType, statementCreditFromCents: full } = ctx.program.config
  if (transaction.award_status !== 'Awarded' || currencyType !== 'Credit' || full === undefined) return null
  const balance = await getBalance(ctx.db, transaction.member_id as number, 'cent')
  return next('credit', { left: formatCents(Math.max(0, full - balance)), full: formatCents(full) })
}

const next = (kind: string, params: Record<string, string>) => ({ key: `rewards.story.next_${kind}`, params })
/** Returns the day a number of days later, on the calendar of the restaurant. */
const dayAfter = (transaction: TransactionRow, since: Date, days: number) =>
  dayText(addDays(dayIn(since, timeZoneOf(transaction)), days))

/** Returns the step of a reward that is held back by the program, or not yet matched. */
function nextDeferred(transaction: TransactionRow): TransactionTimeline['next'] {
  if (transaction.unmatched !== null || transaction.cleared_at === null) {
    return next('deferred', { by: dayAfter(transaction, transaction.occurred_at, matchingDays) })
  }
  const { deferDays = 0 } = reasonOf(transaction).inputs.program
  return next('held', { by: dayAfter(transaction, transaction.cleared_at, deferDays) })
}
