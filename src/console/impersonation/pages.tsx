import type { FoundMember } from '../../identity/impersonation/service.ts'
import { fullName } from '../../identity/members/rules.ts'
import { CsrfField, Notice, wrongField } from '../ui/console-page.tsx'

export interface LookView {
  partnerId: string
  member: FoundMember
  mayChange: boolean
  csrf: string
  /** The fields of a form that was rejected. */
  typed: Readonly<Record<string, string>>
  problem: string | null
}

/** The form that begins an impersonation, after one that was rejected. */
export function LookPage({ partnerId, member, mayChange, csrf, typed, problem }: LookView) {
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <h2>See the app as this member does</h2>
      <form method="post" action={`/${partnerId}/members/${member.publicId}/look`}>
        <CsrfField token={csrf} />
        <div className="field">
          <label htmlFor="reason">Why</label>
          <textarea
            id="reason"
            name="reason"
            required
            minLength={3}
            rows={2}
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
    </>
  )
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

/** What the address of a view shows after its end. */
export function ViewOverPage({ partnerId, member }: Pick<ImpersonationView, 'partnerId' | 'member'>) {
  return (
    <>
      <p>You have left this view, or its time is over.</p>
      <p>
        <a href={`/${partnerId}/members/${member.publicId}`}>Back to {fullName(member)}</a>
      </p>
    </>
  )
}
