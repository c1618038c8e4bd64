import { formatCents } from '../../platform/money.ts'
import { type Resolution, resolutions } from '../../rewards/claims/rules.ts'
import { CsrfField, Notice } from '../ui/console-page.tsx'
import type { ConsoleClaim, OpenClaim, SimilarTransaction } from './store.ts'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const dayOf = (date: string) => day.format(new Date(`${date}T00:00:00Z`))

const resolutionNames: Record<Resolution, string> = {
  credited: 'Credit it',
  alreadyEarned: 'It had already earned',
  cardNotLinked: 'Paid with a card that was not linked',
  notParticipating: 'The restaurant was not participating then',
  noRewardThen: 'No reward on that day',
  notCaptured: 'The card network has no record of this payment',
  otherProgram: 'The card earned in another program',
  noEvidence: 'No record of it',
}

export interface ClaimsView {
  partnerId: string
  /** The earliest deadline first. */
  claims: readonly OpenClaim[]
  now: Date
}

/** Open claims. */
export function ClaimsPage({ partnerId, claims, now }: ClaimsView) {
  if (claims.length === 0) return <p role="status">No claims are waiting for a decision.</p>
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Meal</th>
            <th scope="col">Bill</th>
            <th scope="col">Member</th>
            <th scope="col">Decide by</th>
          </tr>
        </thead>
        <tbody>
          {claims.map((claim) => (
            <tr key={claim.publicId}>
              <td>
                <a href={`/${partnerId}/claims/${claim.publicId}`}>
                  {claim.merchantName}, {dayOf(claim.dinedOn)}
                </a>
              </td>
              <td>{formatCents(claim.amountCents)}</td>
              <td>{claim.memberName}</td>
              <td>
                {day.format(claim.respondBy)}
                {claim.respondBy < now && (
                  <>
                    {' '}
                    <strong>late</strong>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export interface ClaimView {
  partnerId: string
  claim: ConsoleClaim
  similar: readonly SimilarTransaction[]
  /** The reward to suggest, in the smallest unit. */
  suggested: number
  unit: string
  /** The findings in the program's language. */
  findings: readonly string[]
  csrf: string
  /** The fields of a decision that was rejected. */
  typed: Readonly<Record<string, string>>
  problem: string | null
}

/** One claim: the member's statement, the findings, similar transactions, and the decision. */
export function ClaimPage(view: ClaimView) {
  const { partnerId, claim, similar, findings, problem } = view
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <p>
        <a href={`/${partnerId}/members/${claim.memberPublicId}`}>{claim.memberName}</a> says:{' '}
        {formatCents(claim.amountCents)} at {claim.merchantName} on {dayOf(claim.dinedOn)}
        {claim.cardLastFour && `, card ending in ${claim.cardLastFour}`}.
      </p>
      {claim.note !== '' && <blockquote>{claim.note}</blockquote>}
      {claim.receiptType && (
        <p>
          <a href={`/${partnerId}/claims/${claim.publicId}/receipt`}>Receipt ({claim.receiptType})</a>
        </p>
      )}
      <h2>What the member was shown</h2>
      <ul>
        {findings.map((finding) => (
          <li key={finding}>{finding}</li>
        ))}
      </ul>
      <h2>Similar transactions</h2>
      {similar.length === 0 ? (
        <p>There are no transactions on those days, for this member or unmatched.</p>
      ) : (
        <SimilarTable similar={similar} />
      )}
      {claim.decidedAt ? <DecisionSummary claim={claim} decidedAt={claim.decidedAt} /> : <DecisionForm {...view} />}
    </>
  )
}

function SimilarTable({ similar }: Pick<ClaimView, 'similar'>) {
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            <th scope="col">Where</th>
            <th scope="col">Bill</th>
            <th scope="col">Card</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {similar.map((transaction, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
            <tr key={index}>
              <td>{moment.format(transaction.dinedAt)}</td>
              <td>{transaction.merchantName}</td>
              <td>{formatCents(transaction.cents)}</td>
              <td>{transaction.cardLastFour}</td>
              <td>{transaction.unmatched === 'card' ? 'Card not linked to any member' : transaction.status}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DecisionSummary({ claim, decidedAt }: { claim: ConsoleClaim; decidedAt: Date }) {
  const { code, words } = claim.decision as unknown as { code: Resolution; words: string }
  return (
    <>
      <h2>Decided</h2>
      <p>
        {resolutionNames[code]}, by {claim.decidedBy} on {moment.format(decidedAt)}.{words !== '' && ` “${words}”`}
      </p>
    </>
  )
}

function DecisionForm({ partnerId, claim, suggested, unit, csrf, typed }: ClaimView) {
  return (
    <>
      <h2>Decide</h2>
      <form method="post" action={`/${partnerId}/claims/${claim.publicId}`}>
        <CsrfField token={csrf} />
        <div className="field">
          <label htmlFor="code">Outcome</label>
          <select id="code" name="code" defaultValue={typed.code}>
            {resolutions.map((code) => (
              <option key={code} value={code}>
                {resolutionNames[code]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="benefit">Reward to credit ({unit})</label>
          <input id="benefit" name="benefit" inputMode="numeric" defaultValue={typed.benefit ?? suggested} />
        </div>
        <div className="field">
          <label htmlFor="words">Message to the member</label>
          <textarea id="words" name="words" rows={3} maxLength={500} defaultValue={typed.words} />
        </div>
        <button type="submit">Decide</button>
        <p className="muted">
          The member gets an email, and a credit is posted right away. The reward counts only when the outcome is a
          credit.
        </p>
      </form>
    </>
  )
}
