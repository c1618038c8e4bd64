import { formatCents } from '../../platform/money.ts'
import { type Currency, formatReward } from '../../programs/partners/rates.ts'
import { type Resolution, resolutions } from '../../rewards/claims/rules.ts'
import { CsrfField, Notice, WideTable, wrongField } from '../ui/console-page.tsx'
import type { ConsoleClaim, OpenClaim, SimilarClaim, SimilarTransaction } from './store.ts'

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
            <th scope="col">Decide by (UTC)</th>
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
  /** The ids of those that earn and may be the claimed meal, separated by commas; empty without any. */
  earningIds: string
  /** The member's other claims about similar meals. */
  similarClaims: readonly SimilarClaim[]
  /** The member said that it was another meal. */
  anotherMeal: boolean
  currency: Currency
  /** The reward to suggest, as it is typed. */
  suggested: string
  unit: string
  /** The findings in the program's language. */
  findings: readonly string[]
  csrf: string
  /** The fields of a decision that was rejected. */
  typed: Readonly<Record<string, string>>
  /** `field` is the one to correct. */
  problem: { text: string; field: 'code' | 'benefit' | 'another' | 'words' | null } | null
  /** The reward, in the smallest unit, that needs a confirmation. */
  toConfirm: number | null
}

/** One claim: the member's statement, the findings, similar transactions, and the decision. */
export function ClaimPage(view: ClaimView) {
  const { partnerId, claim, similar, similarClaims, findings, problem } = view
  const warning = claim.decidedAt ? null : warningOf(similar)
  return (
    <>
      <Notice kind="wrong" text={problem?.text ?? warning} />
      {claim.decidedAt && <DecisionSummary {...view} decidedAt={claim.decidedAt} />}
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
      <h2 id="similar">Similar transactions</h2>
      {similar.length === 0 ? (
        <p>There are no transactions on those days, for this member or unmatched.</p>
      ) : (
        <SimilarTable similar={similar} />
      )}
      {similarClaims.length > 0 && <SimilarClaims partnerId={partnerId} claims={similarClaims} />}
      {view.anotherMeal && <p>The member says that this was another meal than the similar ones.</p>}
      {!claim.decidedAt && <DecisionForm {...view} />}
    </>
  )
}

/** Returns the warning that the claimed meal may earn already; null when none of the transactions may be it. */
function warningOf(similar: readonly SimilarTransaction[]): string | null {
  const earning = similar.map((transaction) => transaction.earning)
  if (earning.includes('exact'))
    return 'This meal has earned: a transaction has the same restaurant, day and amount. See “Similar transactions”.'
  return earning.includes('similar') ? 'This meal has probably earned. See “Similar transactions”.' : null
}

function SimilarClaims({ partnerId, claims }: { partnerId: string; claims: readonly SimilarClaim[] }) {
  return (
    <>
      <h2>Other claims for a meal like this</h2>
      <ul>
        {claims.map(({ publicId, dinedOn, amountCents, isDecided }) => (
          <li key={publicId}>
            <a href={`/${partnerId}/claims/${publicId}`}>
              {formatCents(amountCents)} on {dayOf(dinedOn)}
            </a>
            , {isDecided ? 'decided' : 'open'}
          </li>
        ))}
      </ul>
    </>
  )
}

const earningTexts = { exact: 'This meal', similar: 'Probably this meal' } as const

function SimilarTable({ similar }: Pick<ClaimView, 'similar'>) {
  return (
    <WideTable labelledBy="similar">
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
            <td>
              {transaction.merchantName}
              {transaction.earning && (
                <>
                  {' '}
                  <strong>{earningTexts[transaction.earning]}</strong>
                </>
              )}
            </td>
            <td>{formatCents(transaction.cents)}</td>
            <td>{transaction.cardLastFour}</td>
            <td>{transaction.unmatched === 'card' ? 'Card not linked to any member' : transaction.status}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  )
}

function DecisionSummary({ claim, currency, decidedAt }: ClaimView & { decidedAt: Date }) {
  const { code, words, benefit } = claim.decision as unknown as { code: Resolution; words: string; benefit: number }
  const outcome = code === 'credited' ? `Credited ${formatReward(currency, benefit)}` : resolutionNames[code]
  return (
    <>
      <h2>Decided</h2>
      <p>
        {outcome}, by {claim.decidedBy} on {moment.format(decidedAt)} UTC.{words !== '' && ` “${words}”`}
      </p>
      <h2>The claim</h2>
    </>
  )
}

function DecisionForm(view: ClaimView) {
  const { partnerId, claim, currency, suggested, unit, earningIds, csrf, typed, problem, toConfirm } = view
  const wrong = (name: string) => wrongField(problem?.field === name)
  return (
    <>
      <h2>Decide</h2>
      <form method="post" action={`/${partnerId}/claims/${claim.publicId}`}>
        <CsrfField token={csrf} />
        <div className="field">
          <label htmlFor="code">Outcome</label>
          <select id="code" name="code" required defaultValue={typed.code ?? ''} {...wrong('code')}>
            <option value="">Choose an outcome</option>
            {resolutions.map((code) => (
              <option key={code} value={code}>
                {resolutionNames[code]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="benefit">Reward to credit ({unit})</label>
          <input
            id="benefit"
            name="benefit"
            inputMode="decimal"
            defaultValue={typed.benefit ?? suggested}
            {...wrong('benefit')}
          />
        </div>
        {toConfirm !== null && (
          <label className="check">
            <input type="checkbox" name="confirmed" value={toConfirm} /> Credit {formatReward(currency, toConfirm)}
          </label>
        )}
        {earningIds !== '' && (
          <label className="check">
            <input
              type="checkbox"
              name="another"
              value={earningIds}
              defaultChecked={typed.another === earningIds}
              {...wrong('another')}
            />{' '}
            To credit it: this is another meal than those that earn already
          </label>
        )}
        <div className="field">
          <label htmlFor="words">Message to the member</label>
          <textarea id="words" name="words" rows={3} defaultValue={typed.words} {...wrong('words')} />
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
