import type { FoundMember } from '../../identity/impersonation/service.ts'
import type { ImpersonationRow } from '../../identity/impersonation/store.ts'
import { type Html, html } from '../../platform/html.ts'
import { csrfField, renderNotice } from '../ui/console-page.ts'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const types: Record<string, string> = {
  EnrolledCardMember: 'Member',
  NonCardMember: 'No card yet',
  ClosedAccountMember: 'Closed',
}

export interface FindView {
  partnerId: string
  text: string
  /** Null before a search; contains one more than `maxShown` when there are more. */
  found: readonly FoundMember[] | null
  maxShown: number
}

/** The member search page. */
export function findPage({ partnerId, text, found, maxShown }: FindView): Html {
  return html`<form method="get" action="/${partnerId}/members" class="row" role="search">
<div class="field"><label for="q">Email address, name or public id</label><input id="q" name="q" type="search" maxlength="120" value="${text}" required></div>
<button>Find</button>
</form>
${found && (found.length === 0 ? html`<p role="status">No member found. Try the start of the email address.</p>` : foundTable(partnerId, found.slice(0, maxShown)))}
${found && found.length > maxShown && html`<p class="muted">There are more members. Type more of the name.</p>`}`
}

function foundTable(partnerId: string, found: readonly FoundMember[]): Html {
  return html`<div class="wide"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Email address</th><th scope="col">State</th><th scope="col">Since</th></tr></thead>
<tbody>${found.map(
    (member) => html`<tr>
<td><a href="/${partnerId}/members/${member.publicId}">${member.firstName} ${member.lastName}</a></td>
<td>${member.email}</td><td>${types[member.memberType] ?? member.memberType}</td><td>${day.format(member.joinedAt)}</td></tr>`,
  )}</tbody></table></div>`
}

export interface MemberView {
  partnerId: string
  member: FoundMember
  impersonations: readonly ImpersonationRow[]
  mayChange: boolean
  csrf: string
  problem: string | null
}

/** The page of one member: details, the impersonation form, and earlier impersonations. */
export function memberPage({ partnerId, member, impersonations, mayChange, csrf, problem }: MemberView): Html {
  return html`${renderNotice('wrong', problem)}
<p>${member.email} · ${types[member.memberType] ?? member.memberType} · ${member.tierLevel} · since ${day.format(member.joinedAt)}</p>
<h2>See the app as this member does</h2>
<form method="post" action="/${partnerId}/members/${member.publicId}/look">
${csrfField(csrf)}
<div class="field"><label for="reason">Why</label><input id="reason" name="reason" required minlength="3" maxlength="200" placeholder="Question about a missing meal"></div>
${mayChange && html`<p><label class="check"><input type="checkbox" name="change" value="yes"> I need to change something for the member</label></p>`}
<button>View as member</button>
<p class="muted">For up to 30 minutes. Your visit, your reason and your changes are recorded, and the member can request the record.</p>
</form>
${
  impersonations.length > 0 &&
  html`<h2>Who has viewed this account</h2>
<div class="wide"><table><thead><tr><th scope="col">When (UTC)</th><th scope="col">Who</th><th scope="col">Why</th><th scope="col">How</th></tr></thead>
<tbody>${impersonations.map((impersonation) => html`<tr><td>${moment.format(impersonation.started_at ?? impersonation.created_at)}</td><td>${impersonation.operator_name}</td><td>${impersonation.reason}</td><td>${accessLabel(impersonation)}</td></tr>`)}</tbody></table></div>`
}`
}

function accessLabel(impersonation: ImpersonationRow): string {
  if (!impersonation.started_at) return 'Not started'
  return impersonation.may_change ? 'Could change' : 'View only'
}

export interface ImpersonationView {
  partnerId: string
  member: FoundMember
  impersonationId: string
  csrf: string
  frame: { name: string; origin: string; src: string }
}

/** The member's view in a frame, with a button to end it. */
export function impersonationPage({ partnerId, member, impersonationId, csrf, frame }: ImpersonationView): Html {
  return html`<form method="post" action="/${partnerId}/members/${member.publicId}/end" id="end" data-origin="${frame.origin}">
${csrfField(csrf)}<input type="hidden" name="emulationId" value="${impersonationId}">
<button>End</button>
</form>
<iframe class="look" name="${frame.name}" title="The app as ${member.firstName} ${member.lastName} sees it" src="${frame.src}" referrerpolicy="no-referrer"></iframe>
<script src="/emulation.js"></script>`
}

/** Notifies the frame to exit before the console navigates. */
export const frameScript = `'use strict'
const form = document.getElementById('end')
form.addEventListener('submit', () => {
  document.querySelector('iframe').contentWindow.postMessage({ exit: true }, form.dataset.origin)
})
`
