import { type Html, html } from '../../platform/html.ts'
import { formatCents } from '../../platform/money.ts'
import type { Explanation } from '../../rewards/claims/contract.ts'
import { type Resolution, resolutions } from '../../rewards/claims/rules.ts'
import { csrfField, renderNotice } from '../ui/console-page.ts'
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

/** Renders open claims, the earliest deadline first. */
export function claimsPage(partnerId: string, claims: readonly OpenClaim[], now: Date): Html {
  if (claims.length === 0) return html`<p role="status">No claims are waiting for a decision.</p>`
  return html`<div class="wide"><table>
<thead><tr><th scope="col">Meal</th><th scope="col">Bill</th><th scope="col">Member</th><th scope="col">Decide by</th></tr></thead>
<tbody>${claims.map(
    (claim) => html`<tr>
<td><a href="/${partnerId}/claims/${claim.publicId}">${claim.merchantName}, ${dayOf(claim.dinedOn)}</a></td>
<td>${formatCents(claim.amountCents)}</td><td>${claim.memberName}</td>
<td>${day.format(claim.respondBy)}${claim.respondBy < now && html` <strong>late</strong>`}</td></tr>`,
  )}</tbody></table></div>`
}

export interface ClaimView {
  partnerId: string
  claim: ConsoleClaim
  similar: readonly SimilarTransaction[]
  /** The reward to suggest, in the smallest unit. */
  suggested: number
  unit: string
  formatFinding: (finding: Explanation['findings'][number]) => string
  csrf: string
  problem: string | null
}

/** Renders one claim: the member's statement, the findings, similar transactions, and the decision. */
export function claimPage(view: ClaimView): Html {
  const { partnerId, claim, similar, csrf, problem } = view
  const findings = claim.findings as unknown as Explanation
  return html`${renderNotice('wrong', problem)}
<p><a href="/${partnerId}/members/${claim.memberPublicId}">${claim.memberName}</a> says: ${formatCents(claim.amountCents)} at ${claim.merchantName} on ${dayOf(claim.dinedOn)}${claim.cardLastFour && html`, card ending in ${claim.cardLastFour}`}.</p>
${claim.note !== '' && html`<blockquote>${claim.note}</blockquote>`}
${claim.receiptType && html`<p><a href="/${partnerId}/claims/${claim.publicId}/receipt">Receipt (${claim.receiptType})</a></p>`}
<h2>What the member was shown</h2>
<ul>${findings.findings.map((finding) => html`<li>${view.formatFinding(finding)}</li>`)}</ul>
<h2>Similar transactions</h2>
${similar.length === 0 ? html`<p>There are no transactions on those days, for this member or unmatched.</p>` : similarTable(similar)}
${claim.decidedAt ? decisionSummary(claim) : decisionForm(view, csrf)}`
}

function similarTable(similar: readonly SimilarTransaction[]): Html {
  return html`<div class="wide"><table>
<thead><tr><th scope="col">When (UTC)</th><th scope="col">Where</th><th scope="col">Bill</th><th scope="col">Card</th><th scope="col">State</th></tr></thead>
<tbody>${similar.map(
    (transaction) =>
      html`<tr><td>${moment.format(transaction.dinedAt)}</td><td>${transaction.merchantName}</td><td>${formatCents(transaction.cents)}</td><td>${transaction.cardLastFour}</td><td>${transaction.unmatched === 'card' ? 'Card not linked to any member' : transaction.status}</td></tr>`,
  )}</tbody></table></div>`
}

function decisionSummary(claim: ConsoleClaim): Html {
  const { code, words } = claim.decision as unknown as { code: Resolution; words: string }
  return html`<h2>Decided</h2><p>${resolutionNames[code]}, by ${claim.decidedBy} on ${moment.format(claim.decidedAt as Date)}.${words !== '' && html` “${words}”`}</p>`
}

function decisionForm({ partnerId, claim, suggested, unit }: ClaimView, csrf: string): Html {
  return html`<h2>Decide</h2>
<form method="post" action="/${partnerId}/claims/${claim.publicId}">
${csrfField(csrf)}
<div class="field"><label for="code">Outcome</label><select id="code" name="code">${resolutions.map((code) => html`<option value="${code}">${resolutionNames[code]}</option>`)}</select></div>
<div class="field"><label for="benefit">Reward to credit (${unit})</label><input id="benefit" name="benefit" inputmode="numeric" pattern="\\d{1,7}" value="${String(suggested)}"></div>
<div class="field"><label for="words">Message to the member</label><textarea id="words" name="words" rows="3" maxlength="500"></textarea></div>
<button>Decide</button>
<p class="muted">The member gets an email, and a credit is posted right away. The reward counts only when the outcome is a credit.</p>
</form>`
}
