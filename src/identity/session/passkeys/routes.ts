import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import { secretToken } from '../../../platform/security/ids.ts'
import { findMemberRow } from '../../members/service.ts'
import { type CookieRules, readDevice, sendDevice, sendSession } from '../cookies.ts'
import { signedIn } from '../signed-in.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as passkeys from './service.ts'

export interface PasskeyDeps {
  cookies: CookieRules
  lockKey: Buffer
  /** The origin of a program's pages. */
  origin: (partnerId: string) => string
}

export function passkeyRoutes(app: FastifyInstance, { cookies, lockKey, origin }: PasskeyDeps): void {
  const party = ({ partnerId }: { partnerId: string }) => ({ origin: origin(partnerId) })
  registerRoute(app, calls.listPasskeys, schemas.listPasskeys, (ctx) => passkeys.listPasskeys(ctx))
  registerRoute(app, calls.beginPasskey, schemas.beginPasskey, (ctx) => passkeys.beginPasskey(ctx, party(ctx)))
  registerRoute(app, calls.addPasskey, schemas.addPasskey, (ctx, { body: { name, credential } }) =>
    passkeys.addPasskey(ctx, party(ctx), { name, response: credential }),
  )
  registerRoute(app, calls.removePasskey, schemas.removePasskey, async (ctx, { query }) => {
    await passkeys.removePasskey(ctx, party(ctx), query.id)
    return true as const
  })
  registerRoute(app, calls.beginPasskeySignIn, schemas.beginPasskeySignIn, (ctx) =>
    passkeys.beginPasskeySignIn(ctx, party(ctx)),
  )
  registerRoute(app, calls.signInWithPasskey, schemas.signInWithPasskey, async (ctx, { body }, { request, reply }) => {
    const device = readDevice(request, cookies) ?? secretToken()
    const { memberId, session } = await passkeys.signInWithPasskey(ctx, party(ctx), {
      response: body.credential,
      rememberMe: body.rememberMe,
      lockKey,
      device,
    })
    if (session) {
      sendSession(reply, { ...session, signedIn: true }, cookies)
      sendDevice(reply, device, cookies)
    }
    const member = await findMemberRow(ctx.db, memberId)
    return signedIn(member, session?.csrfToken ?? (ctx.actor.csrfToken as string))
  })
}
