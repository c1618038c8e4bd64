import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { formatCents } from '../../../../platform/money.ts'
import { type Copy, useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { formatReward, smallestUnits } from '../../../../programs/partners/rates.ts'
import type { RewardTransaction } from '../../../earning/contract.ts'
import { bonusNameKey, type StatusText, shownBenefit, statusText } from '../../../earning/explain.ts'
import type { StatementCredit } from '../../../payouts/contract.ts'
import { creditStatusKey } from '../../../payouts/rules.ts'
import type { Adjustment, RewardEntry } from '../../contract.ts'
import { adjustmentKey } from '../../names.ts'
import styles from './Statement.module.css'
import { TransactionTimeline } from './TransactionTimeline.tsx'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const dateOf = (date: string) => day.format(new Date(`${date}T00:00:00Z`))

/** Returns the local day of a transaction and, where the restaurant's time zone is known, the local time. */
function momentOf({ transactionCreatedAt, timeZone, date }: RewardTransaction): { day: string; time: string } {
  if (timeZone === null) return { day: dateOf(date), time: '' }
  const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone })
  return { day: dateOf(date), time: time.format(new Date(transactionCreatedAt)) }
}

interface Props {
  entries: readonly RewardEntry[]
  /** Content of another feature beside a transaction. */
  beside?: (transaction: RewardTransaction) => ReactNode
}

/** The list of transactions, adjustments and credits; each transaction opens its history and its reason. */
export function Statement({ entries, beside }: Props) {
  return (
    <ul className={styles.statement}>
      {entries.map((entry) =>
        entry.kind === 'transaction' ? (
          <TransactionRow key={entry.sourceTransactionId} transaction={entry} beside={beside?.(entry)} />
        ) : entry.kind === 'credit' ? (
          <CreditRow key={entry.creditId} credit={entry} />
        ) : (
          <AdjustmentRow key={entry.adjustmentId} adjustment={entry} />
        ),
      )}
    </ul>
  )
}

function TransactionRow({ transaction, beside }: { transaction: RewardTransaction; beside: ReactNode }) {
  const t = useCopy()
  const [isOpen, setOpen] = useState(false)
  const why = useRef<HTMLDetailsElement>(null)
  // It may have been opened before the script arrived.
  useEffect(() => setOpen(why.current?.open ?? false), [])
  const id = `meal-${transaction.sourceTransactionId}`
  const { hash } = useLocation()
  // Another page links to this line.
  useEffect(() => {
    if (why.current && hash === `#${id}`) why.current.open = true
  }, [hash, id])
  const { config } = useProgram()
  const moment = momentOf(transaction)
  const now = new Date()
  const statusInfo = statusText(config, transaction, now)
  const status = statusOf(t, statusInfo)
  return (
    <li id={id} className={styles.row} data-dim={statusInfo.dimmed || undefined}>
      <time dateTime={transaction.transactionCreatedAt}>
        {moment.day}
        {moment.time && <span className={styles.detail}>{moment.time}</span>}
      </time>
      <span className={styles.what}>
        {transaction.activeMerchant && transaction.merchantId ? (
          <Link to={`/merchants/${transaction.merchantId}`}>{transaction.merchantName}</Link>
        ) : (
          transaction.merchantName
        )}
        <span className={styles.detail}>{detailOf(t, transaction)}</span>
      </span>
      <span className={styles.amount}>
        {formatReward(config, smallestUnits(config, shownBenefit(transaction, now)))}
        {status && <span className={styles.status}>{status}</span>}
      </span>
      {beside && <span className={styles.beside}>{beside}</span>}
      <details ref={why} className={styles.why} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {t('activity.why')} <span className="visually-hidden">{transaction.merchantName}</span>
        </summary>
        <p>{t(transaction.reason.key, transaction.reason.params)}</p>
        {isOpen && <TransactionTimeline id={transaction.sourceTransactionId} timeZone={transaction.timeZone} />}
      </details>
    </li>
  )
}

/** Returns what was paid, and what remains after a refund; for a bonus, its name. */
function detailOf(t: Copy, transaction: RewardTransaction): string {
  const { reason, transactionTypeCode, dineAmount, refundedAmount, cardLastFour: lastFour } = transaction
  if (transactionTypeCode === 'B') return t(bonusNameKey(reason.code), reason.params)
  const [paid, refunded] = [Math.round(dineAmount * 100), Math.round(refundedAmount * 100)]
  if (refunded === 0 || refunded >= paid) return t('activity.detail', { amount: formatCents(paid), lastFour })
  const netPaid = formatCents(paid - refunded)
  return t('activity.detail_refunded', { amount: netPaid, refunded: formatCents(refunded), lastFour })
}

function statusOf(t: Copy, statusInfo: StatusText): string {
  const text = t(statusInfo.key, statusInfo.params)
  return statusInfo.details ? `${text}. ${t(statusInfo.details)}` : text
}

function AdjustmentRow({ adjustment }: { adjustment: Adjustment }) {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <li className={styles.row}>
      <time dateTime={adjustment.date}>{dateOf(adjustment.date)}</time>
      <span className={styles.what}>{t(adjustmentKey(adjustment))}</span>
      <span className={styles.amount}>{formatReward(config, smallestUnits(config, adjustment.amount))}</span>
    </li>
  )
}

function CreditRow({ credit }: { credit: StatementCredit }) {
  const t = useCopy()
  return (
    <li className={styles.row}>
      <time dateTime={credit.date}>{dateOf(credit.date)}</time>
      <span className={styles.what}>
        {t('activity.credit')}
        <span className={styles.detail}>
          {credit.delivery === 'Card'
            ? credit.targetLabel
            : t('activity.credit_by_email', { brand: credit.payoutBrand })}
        </span>
      </span>
      <span className={styles.amount}>
        {formatCents(credit.creditAmountCents)}
        <span className={styles.status}>{t(creditStatusKey(credit))}</span>
      </span>
    </li>
  )
}
