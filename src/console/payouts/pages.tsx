import { formatCents } from '../../platform/money.ts'
import type { HistoryEntry, WatchedCredit } from '../../rewards/payouts/decision-store.ts'
import { type Attention, type Decision, decisionsFor } from '../../rewards/payouts/rules.ts'
import { CsrfField, Notice, WideTable } from '../ui/console-page.tsx'

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const attentionNames: Record<Attention, string> = {
  unanswered: 'The processor has not answered for days',
  unknownThere: 'The processor forgets it again and again',
  unfinished: 'The processor has not paid it for a week',
  openAfterReturn: 'It was returned to the balance, but the processor still has it',
  paidAfterReturn: 'It was returned to the balance, then paid: the balance was lowered again',
  rejectedAfterPaid: 'It was declared paid, but the processor says that it was rejected',
  leftInClosedAccount: 'It was returned to the balance of a deleted account: nothing orders it again by itself',
}

const decisionNames: Record<Decision, string> = {
  ask: 'Ask the processor now',
  return: 'Return it to the balance: it is certainly not paid',
  paid: 'It was paid',
  order: 'Order what is left in the balance again, under a new id',
  acknowledge: 'Nothing more is to be done',
}

const stateOf = ({ attention, status }: WatchedCredit) =>
  attention ? attentionNames[attention] : status === 'completed' ? 'Paid' : 'Asked again automatically'

/** Statement credits whose outcome is unknown or disputed. */
export function PayoutsPage({ partnerId, credits }: { partnerId: string; credits: readonly WatchedCredit[] }) {
  if (credits.length === 0) return <p role="status">The outcome of every statement credit is known, or not due yet.</p>
  return (
    <>
      <h2 id="credits">Credits without an outcome</h2>
      <WideTable labelledBy="credits">
        <thead>
          <tr>
            <th scope="col">Credit</th>
            <th scope="col">Ordered (UTC)</th>
            <th scope="col" className="number">
              Amount
            </th>
            <th scope="col">State</th>
            <th scope="col">Attempts without an answer</th>
          </tr>
        </thead>
        <tbody>
          {credits.map((credit) => (
            <tr key={credit.creditId}>
              <td>
                <a href={`/${partnerId}/payouts/${credit.creditId}`}>{credit.creditId}</a>
              </td>
              <td>{moment.format(credit.createdAt)}</td>
              <td className="number">{formatCents(credit.amountCents)}</td>
              <td>{credit.attention ? <strong>{stateOf(credit)}</strong> : stateOf(credit)}</td>
              <td>{credit.unanswered}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  )
}

export interface PayoutView {
  partnerId: string
  credit: WatchedCredit
  history: readonly HistoryEntry[]
  csrf: string
  problem: string | null
  /** What was sent and not stored: it stays in the form. */
  typed: { decision: string; reason: string }
}

/** One credit: what is known, its history, and what can be decided. */
export function PayoutPage({ partnerId, credit, history, csrf, problem, typed }: PayoutView) {
  const possible = decisionsFor(credit.status, credit.attention)
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <p>
        {formatCents(credit.amountCents)}, ordered on {moment.format(credit.createdAt)} UTC
        {credit.processor !== '' && ` from ${credit.processor}`}. {stateOf(credit)}.
      </p>
      {credit.lastError && (
        <p>
          {credit.unanswered} attempts without an answer; the last error: {credit.lastError}. It is asked again on{' '}
          {moment.format(credit.nextAttemptAt)} UTC.
        </p>
      )}
      {credit.memberId && (
        <p>
          <a href={`/${partnerId}/members/${credit.memberId}`}>The member</a>
        </p>
      )}
      <h2>History</h2>
      <ul>
        {history.map(({ at, kind, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
          <li key={index}>
            {moment.format(at)}: {kind}
            {detail !== '' && ` (${detail})`}
          </li>
        ))}
      </ul>
      <h2>Decide</h2>
      <form method="post" action={`/${partnerId}/payouts/${credit.creditId}`}>
        <CsrfField token={csrf} />
        <div className="field">
          <label htmlFor="decision">What is to be done</label>
          <select id="decision" name="decision" required defaultValue={typed.decision}>
            <option value="">Choose</option>
            {possible.map((decision) => (
              <option key={decision} value={decision}>
                {decisionNames[decision]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="reason">Reason (stays on record; without names of members)</label>
          <textarea id="reason" name="reason" rows={3} defaultValue={typed.reason} />
        </div>
        <button type="submit">Store the decision</button>
      </form>
    </>
  )
}
