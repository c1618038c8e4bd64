import type { FoundMember } from '../../identity/impersonation/service.ts'
import type { ImpersonationRow } from '../../identity/impersonation/store.ts'
import { fullName } from '../../identity/members/rules.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { CsrfField, Notice, WideTable, wrongField } from '../ui/console-page.tsx'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const types: Record<string, string> = {
  EnrolledCardMember: 'Member',
  NonCardMember: 'No card yet',
  ClosedAccountMember: 'Closed',
}

const tiers: Record<TierLevel, string> = {
  OptedOut: 'Opted out of emails',
  NonActivated: 'Not activated',
  OptedIn: 'Opted in to emails',
  VIP: 'VIP',
}

export interface FindView {
  partnerId: string
  text: string
  /** What is wrong with the text. */
  problem: string | null
  /** Null before a search; contains one more than `maxShown` when there are more. */
  found: readonly FoundMember[] | null
  maxShown: number
}

/** The member search page. */
export function FindPage({ partnerId, text, problem, found, maxShown }: FindView) {
  return (
    <>
      <Notice kind="wrong" text={problem} />
      {/* biome-ignore lint/a11y/useSemanticElements: a form with this role; `search` would be one more element */}
      <form method="get" action={`/${partnerId}/members`} className="row" role="search">
        <div className="field">
          <label htmlFor="q">Email address, name or public id</label>
          <input id="q" name="q" type="search" defaultValue={text} required {...wrongField(problem !== null)} />
        </div>
        <button type="submit">Find</button>
      </form>
      {found?.length === 0 && <p role="status">No member found. Try the start of the email address.</p>}
      {found && found.length > 0 && <FoundTable partnerId={partnerId} found={found.slice(0, maxShown)} />}
      {found && found.length > maxShown && <p className="muted">There are more members. Type more of the name.</p>}
    </>
  )
}

function FoundTable({ partnerId, found }: { partnerId: string; found: readonly FoundMember[] }) {
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Email address</th>
            <th scope="col">State</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {found.map((member) => (
            <tr key={member.publicId}>
              <td>
                <a href={`/${partnerId}/members/${member.publicId}`}>{fullName(member)}</a>
              </td>
              <td>{member.email}</td>
              <td>{types[member.memberType] ?? member.memberType}</td>
              <td>{day.format(member.joinedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export interface MemberView {
  partnerId: string
  member: FoundMember
  impersonations: readonly ImpersonationRow[]
  mayChange: boolean
  csrf: string
  /** The fields of a form that was rejected. */
  typed: Readonly<Record<string, string>>
  problem: string | null
}

/** The page of one member: details, the impersonation form, and earlier impersonations. */
export function MemberPage({ partnerId, member, impersonations, mayChange, csrf, typed, problem }: MemberView) {
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <p>
        {member.email} · {types[member.memberType] ?? member.memberType} · {tiers[member.tierLevel as TierLevel]} ·
        since {day.format(member.joinedAt)}
      </p>
      <h2>See the app as this member does</h2>
      <form method="post" action={`/${partnerId}/members/${member.publicId}/look`}>
        <CsrfField token={csrf} />
        <div className="field">
          <label htmlFor="reason">Why</label>
          <input
            id="reason"
            name="reason"
            required
            minLength={3}
            placeholder="Question about a missing meal"
            defaultValue={typed.reason}
            {...wrongField(problem !== null)}
          />
        </div>
        {mayChange && (
          <p>
            <label className="check">
              <input type="checkbox" name="change" value="yes" defaultChecked={typed.change === 'yes'} /> I need to
              change something for the member
            </label>
          </p>
        )}
        <button type="submit">View as member</button>
        <p className="muted">
          For up to 30 minutes. Your visit, your reason and your changes are recorded, and the member can request the
          record.
        </p>
      </form>
      {impersonations.length > 0 && <ImpersonationTable impersonations={impersonations} />}
    </>
  )
}

function ImpersonationTable({ impersonations }: Pick<MemberView, 'impersonations'>) {
  return (
    <>
      <h2 id="views">Who has viewed this account</h2>
      <WideTable labelledBy="views">
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            <th scope="col">Who</th>
            <th scope="col">Why</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {impersonations.map((impersonation) => (
            <tr key={impersonation.public_id}>
              <td>{moment.format(impersonation.started_at ?? impersonation.created_at)}</td>
              <td>{impersonation.operator_name}</td>
              <td>{impersonation.reason}</td>
              <td>{accessLabel(impersonation)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  )
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
export function ImpersonationPage({ partnerId, member, impersonationId, csrf, frame }: ImpersonationView) {
  return (
    <>
      <form method="post" action={`/${partnerId}/members/${member.publicId}/end`} id="end" data-origin={frame.origin}>
        <CsrfField token={csrf} />
        <input type="hidden" name="emulationId" value={impersonationId} />
        <button type="submit">End</button>
      </form>
      <iframe
        className="look"
        name={frame.name}
        title={`The app as ${fullName(member)} sees it`}
        src={frame.src}
        referrerPolicy="no-referrer"
      />
      <script src="/emulation.js" />
    </>
  )
}
