import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../platform/database/db.ts'
import { type Html, html } from '../../platform/html.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import { consolePage, csrfField, renderNotice } from '../ui/console-page.ts'
import type { ConsoleSession } from './context.ts'
import * as passkeys from './passkeys.ts'
import { signOutEverywhere } from './service.ts'

export interface PasskeyDeps {
  db: Db
  /** Origin of the console. */
  consoleOrigin: string
  /** Whether access to member data requires a passkey; adding the first passkey then requires a code. */
  passkeysRequired: boolean
  /** Called after the operator signed out everywhere. */
  onSignedOut: (reply: FastifyReply) => void
}

const Json = z
  .string()
  .max(20_000)
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      ctx.addIssue('not JSON')
      return z.NEVER
    }
  })
const PasskeyResponseForm = z.object({ credential: Json })
const NewPasskey = PasskeyResponseForm.extend({
  name: z.string().trim().min(1).max(60),
  code: z.string().max(60).default(''),
})

/** Page for the passkey check after the password. */
export const passkeyCheckPath = '/passkey'

/** Registers the second factor of operators: the passkey check and passkey management. */
export function operatorPasskeyRoutes(app: FastifyInstance, deps: PasskeyDeps): void {
  const { db, consoleOrigin } = deps
  const needsCode = ({ passkeyVerified }: ConsoleSession) => deps.passkeysRequired && !passkeyVerified
  app.get('/passkey.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))

  app.get(passkeyCheckPath, (request, reply) => showPasskeyCheck(request, reply, null))
  app.post(passkeyCheckPath, async (request, reply) => {
    const form = PasskeyResponseForm.safeParse(fieldsOf(request))
    const verified = await passkeys.finishPasskeyCheck(db, sessionOf(request), {
      origin: consoleOrigin,
      response: form.success ? form.data.credential : null,
    })
    return verified
      ? reply.redirect('/', 303)
      : showPasskeyCheck(request, reply.code(400), 'This passkey is none of yours here.')
  })

  app.get('/security', (request, reply) => showSecurity(request, reply, null))
  app.post('/security/add', async (request, reply) => {
    const form = NewPasskey.safeParse(fieldsOf(request))
    const session = sessionOf(request)
    const code = needsCode(session) ? (form.data?.code ?? '') : null
    const added =
      form.success &&
      (await passkeys.finishPasskeyRegistration(db, session, {
        origin: consoleOrigin,
        name: form.data.name,
        response: form.data.credential,
        code,
      }))
    const problem = code === null ? 'The passkey was not added.' : 'The passkey was not added. Please check the code.'
    return added ? reply.redirect('/security', 303) : showSecurity(request, reply.code(400), problem)
  })
  app.post('/security/remove', async (request, reply) => {
    const id = z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .safeParse(fieldsOf(request).id)
    if (id.success) await passkeys.deletePasskey(db, sessionOf(request).operator.id, id.data)
    return reply.redirect('/security', 303)
  })

  app.post('/security/sign-out-everywhere', async (request, reply) => {
    await signOutEverywhere(db, sessionOf(request).operator.id)
    deps.onSignedOut(reply)
    return reply.redirect('/sign-in', 303)
  })

  async function showPasskeyCheck(request: FastifyRequest, reply: FastifyReply, problem: string | null) {
    const session = sessionOf(request)
    const options = await passkeys.startPasskeyCheck(db, session, consoleOrigin)
    const body = html`${renderNotice('wrong', problem)}${passkeyFailed}
<form method="post" action="${passkeyCheckPath}" data-ceremony="get" data-options="${JSON.stringify(options)}">
${csrfField(session.csrfToken)}<input type="hidden" name="credential">
<button>Use your passkey</button>
</form>${scriptTag}`
    return page(reply, session, { title: 'Your passkey', body })
  }

  async function showSecurity(request: FastifyRequest, reply: FastifyReply, problem: string | null) {
    const session = sessionOf(request)
    const [list, options] = [
      await passkeys.listPasskeys(db, session.operator.id),
      await passkeys.startPasskeyRegistration(db, session, consoleOrigin),
    ]
    const body = html`${renderNotice('wrong', problem)}${passkeyFailed}
<p>With a passkey the password alone no longer opens the console. You need one to view members.</p>
${list.length === 0 ? html`<p class="muted">You don’t have any passkeys yet.</p>` : passkeyTable(list, session.csrfToken)}
<h2>Add a passkey</h2>
<form method="post" action="/security/add" data-ceremony="create" data-options="${JSON.stringify(options)}">
${csrfField(session.csrfToken)}<input type="hidden" name="credential">
${needsCode(session) && codeField}<div class="field"><label for="name">Name of this device</label><input id="name" name="name" required maxlength="60"></div>
<button>Add</button>
</form>
<h2>Sessions</h2>
<p>This ends every session of yours, this one too, and every preview that you have opened.</p>
<form method="post" action="/security/sign-out-everywhere">${csrfField(session.csrfToken)}<button class="danger">End all my sessions</button></form>${scriptTag}`
    return page(reply, session, { title: 'Your sign-in', body, breadcrumbs: [{ label: 'Programs', href: '/' }] })
  }
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function passkeyTable(list: readonly passkeys.OperatorPasskey[], csrf: string): Html {
  return html`<table><thead><tr><th scope="col">Passkey</th><th scope="col">Since</th><th scope="col"><span class="muted">What to do</span></th></tr></thead>
<tbody>${list.map(
    ({ id, name, createdAt }) => html`<tr><td>${name}</td><td>${day.format(createdAt)}</td><td class="tools">
<form method="post" action="/security/remove">${csrfField(csrf)}<input type="hidden" name="id" value="${id}"><button class="small danger" aria-label="Remove ${name}">Remove</button></form></td></tr>`,
  )}</tbody></table>`
}

const codeField = html`<div class="field"><label for="code">Code</label><input id="code" name="code" required maxlength="60" autocomplete="one-time-code"><p class="muted">You got it with your password. An administrator can issue a new one at the command line.</p></div>`
const passkeyFailed = html`<p class="notice wrong" role="alert" id="given-up" hidden>The passkey wasn’t used. You can try again.</p>`
const scriptTag = html`<script src="/passkey.js"></script>`

// Browsers can convert the JSON form of passkey options, but only a script can request a passkey.
const script = `'use strict'
const form = document.querySelector('form[data-ceremony]')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const options = JSON.parse(form.dataset.options)
  try {
    const credential =
      form.dataset.ceremony === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    document.getElementById('given-up').hidden = false
  }
})
`

function sessionOf({ consoleSession }: FastifyRequest): ConsoleSession {
  if (!consoleSession) throw new Error('a console page without an operator')
  return consoleSession
}

const fieldsOf = ({ body }: FastifyRequest): Record<string, string> =>
  body instanceof URLSearchParams ? Object.fromEntries(body) : {}

type Frame = Omit<Parameters<typeof consolePage>[0], 'operator'>

function page(reply: FastifyReply, { operator, csrfToken }: ConsoleSession, frame: Frame): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      csp({
        'default-src': NONE,
        'style-src': SELF,
        'script-src': SELF,
        'form-action': SELF,
        'base-uri': NONE,
        'frame-ancestors': NONE,
      }),
    )
    .type('text/html; charset=utf-8')
    .send(consolePage({ ...frame, operator: { name: operator.name, csrfToken } }))
}
