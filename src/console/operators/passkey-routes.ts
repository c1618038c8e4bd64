import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../platform/database/db.ts'
import { typedLine } from '../../platform/form-schema.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import { type ConsolePage, type ConsoleUi, sendConsolePage } from './admin-context.ts'
import type { ConsoleSession } from './context.ts'
import type * as operatorPages from './pages.tsx'
import { passkeyCheckPath } from './passkey-check-path.ts'
import * as passkeys from './passkeys.ts'
import { returnPathOf } from './return-to.ts'
import { signOutEverywhere } from './service.ts'

export interface PasskeyDeps {
  db: Db
  /** Origin of the console. */
  consoleOrigin: string
  /** Whether access to member data requires a passkey; adding the first passkey then requires a code. */
  passkeysRequired: boolean
  /** Called after the operator signed out everywhere. */
  onSignedOut: (reply: FastifyReply) => void
  pages: ConsoleUi & typeof operatorPages
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
const illegibleName = 'Its name has an invisible character. Please type it again.'
const longName = 'Its name may have at most 60 characters.'
const nameProblems: readonly string[] = [illegibleName, longName]
const NewPasskey = PasskeyResponseForm.extend({
  name: typedLine(illegibleName).min(1).max(60, longName),
  code: z.string().max(60).default(''),
})

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
      ? reply.redirect(returnPathOf(request.query) || '/', 303)
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
    const wrongName = form.error?.issues.find(({ message }) => nameProblems.includes(message))?.message
    const check = wrongName ? ` ${wrongName}` : code === null ? '' : ' Please check the code.'
    const problem = `The passkey was not added.${check}`
    return added
      ? reply.redirect('/security', 303)
      : showSecurity(request, reply.code(400), problem, fieldsOf(request).name)
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
    return page(deps, request, reply, {
      title: 'Your passkey',
      Page: deps.pages.PasskeyCheckPage,
      props: { csrf: session.csrfToken, options, problem, returnTo: returnPathOf(request.query) },
    })
  }

  async function showSecurity(request: FastifyRequest, reply: FastifyReply, problem: string | null, name = '') {
    const session = sessionOf(request)
    const [list, options] = [
      await passkeys.listPasskeys(db, session.operator.id),
      await passkeys.startPasskeyRegistration(db, session, consoleOrigin),
    ]
    return page(deps, request, reply, {
      title: 'Your sign-in',
      breadcrumbs: [{ label: 'Programs', href: '/programs' }],
      Page: deps.pages.SecurityPage,
      props: {
        csrf: session.csrfToken,
        options,
        problem,
        name,
        passkeys: list,
        needsCode: needsCode(session),
        passkeysRequired: deps.passkeysRequired,
      },
    })
  }
}

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

/** Sends a console page that may run the passkey script. */
function page<P extends object>(
  deps: PasskeyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ConsolePage<P>,
): FastifyReply {
  reply.header(
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
  return sendConsolePage(deps, request, reply, options)
}
