import { withReturn } from '../../identity/session/sso/return-path.ts'
import { CsrfField, Notice, wrongField } from '../ui/console-page.tsx'
import { passkeyCheckPath } from './passkey-check-path.ts'
import type { OperatorPasskey } from './passkeys.ts'

export interface SignInView {
  hint: string | null
  /** The page that was asked for; '' without one. */
  returnTo?: string
  /** The submitted email and the error message. */
  email?: string
  problem?: string
}

export function SignInPage({ hint, returnTo = '', email = '', problem }: SignInView) {
  return (
    <>
      <Notice kind="wrong" text={problem ?? null} />
      <form method="post" action="/sign-in">
        {returnTo !== '' && <input type="hidden" name="returnTo" value={returnTo} />}
        <div className="field">
          <label htmlFor="email">Email address</label>
          <input id="email" name="email" type="email" autoComplete="username" required defaultValue={email} />
        </div>
        <div className="field">
          <label htmlFor="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            {...wrongField(problem !== undefined)}
          />
        </div>
        <button type="submit">Sign in</button>
      </form>
      {hint && <p className="muted">{hint}</p>}
    </>
  )
}

export interface PasskeyCheckView {
  csrf: string
  /** The browser's options for the passkey. */
  options: object
  problem: string | null
}

/** The passkey check after the password. */
export function PasskeyCheckPage({ csrf, options, problem, returnTo = '' }: PasskeyCheckView & { returnTo?: string }) {
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <PasskeyFailed />
      <form
        method="post"
        action={withReturn(passkeyCheckPath, returnTo)}
        data-ceremony="get"
        data-options={JSON.stringify(options)}
      >
        <CsrfField token={csrf} />
        <input type="hidden" name="credential" />
        <button type="submit">Use your passkey</button>
      </form>
      <script src="/passkey.js" />
    </>
  )
}

export interface SecurityView extends PasskeyCheckView {
  /** What was typed as the name of a passkey that was not added. */
  name: string
  passkeys: readonly OperatorPasskey[]
  /** Whether adding a passkey requires the code that came with the password. */
  needsCode: boolean
  /** Whether pages with personal data or money require a sign-in with a passkey. */
  passkeysRequired: boolean
}

/** The operator's passkeys and sessions. */
export function SecurityPage({ csrf, options, problem, name, passkeys, needsCode, passkeysRequired }: SecurityView) {
  return (
    <>
      <Notice kind="wrong" text={problem} />
      <PasskeyFailed />
      <p>
        With a passkey the password alone no longer opens the console.
        {passkeysRequired && ' You need one to view members, claims, settlements and feed files.'}
      </p>
      {passkeys.length === 0 ? (
        <p className="muted">You don’t have any passkeys yet.</p>
      ) : (
        <PasskeyTable passkeys={passkeys} csrf={csrf} />
      )}
      <h2>Add a passkey</h2>
      <form method="post" action="/security/add" data-ceremony="create" data-options={JSON.stringify(options)}>
        <CsrfField token={csrf} />
        <input type="hidden" name="credential" />
        {needsCode && <CodeField />}
        <div className="field">
          <label htmlFor="name">Name of this device</label>
          <input id="name" name="name" required defaultValue={name} />
        </div>
        <button type="submit">Add</button>
      </form>
      <h2>Sessions</h2>
      <p>This ends every session of yours, this one too, and every preview that you have opened.</p>
      <form method="post" action="/security/sign-out-everywhere">
        <CsrfField token={csrf} />
        <button type="submit" className="danger">
          End all my sessions
        </button>
      </form>
      <script src="/passkey.js" />
    </>
  )
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function PasskeyTable({ passkeys, csrf }: Pick<SecurityView, 'passkeys' | 'csrf'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Passkey</th>
          <th scope="col">Since</th>
          <th scope="col">
            <span className="muted">What to do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {passkeys.map(({ id, name, createdAt }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{day.format(createdAt)}</td>
            <td className="tools">
              <form method="post" action="/security/remove">
                <CsrfField token={csrf} />
                <input type="hidden" name="id" value={id} />
                <button type="submit" className="small danger" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CodeField() {
  return (
    <div className="field">
      <label htmlFor="code">Code</label>
      <input id="code" name="code" required autoComplete="one-time-code" />
      <p className="muted">You got it with your password. An administrator can issue a new one at the command line.</p>
    </div>
  )
}

function PasskeyFailed() {
  return (
    <p className="notice wrong" role="alert" id="given-up" hidden>
      The passkey wasn’t used. You can try again.
    </p>
  )
}
