import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { frameColors } from '../src/platform/frame-colors.ts'
import { sameForAll } from '../src/platform/http/caching.ts'
import { createHttpApp } from '../src/platform/http/create-http-app.ts'
import { createNonce, csp, NONE, nonceSource, SELF } from '../src/platform/http/csp.ts'
import { flatQuery } from '../src/platform/http/form-body.ts'
import { frameFont, serveFrameFonts } from '../src/platform/http/frame-fonts.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import { secretToken } from '../src/platform/security/ids.ts'
import { unstorablePath } from '../src/platform/text.ts'
import { framePage, noticePage } from './frame-page.ts'
import { deriveVaultKeys } from './keys.ts'
import { messages } from './messages.ts'
import { providerScript } from './provider-script.ts'
import { createStore } from './store.ts'
import { tokenize, tokenizeLoaded } from './tokenize.ts'

export interface VaultOptions {
  /** A login in the role `dineback_vault`. */
  databaseUrl: string
  secret: string
  /** The vault's public origin. */
  publicOrigin: string
  /** Returns true for the exact origin of a page that may frame the vault. */
  parentOrigins: (origin: string) => boolean
  requestTimeoutMs?: number
  logger: Logger
  /** The built script of the frame. */
  frameScript?: string
  now?: () => Date
}

const intentTtlSeconds = 5 * 60

const Holder = z.strictObject({ tenant: z.string().min(1).max(60), holder: z.string().min(1).max(60) })
export const IntentRequest = z.strictObject({
  ...Holder.shape,
  parentOrigin: z.url().max(200),
  brands: z.array(z.enum(['AMEX', 'DISC', 'MAST', 'VISA'])).min(1),
})
const encryptedCardNumber = z.string().min(1).max(4096)
export const TokenRequest = z.strictObject({
  ...Holder.shape,
  encryptedCardNumber,
  deviceSession: z.string().max(200).optional(),
})
export const LoadRequest = z.strictObject({ tenant: Holder.shape.tenant, encryptedCardNumber })
export const DeleteCardsRequest = z.strictObject({
  tenant: Holder.shape.tenant,
  tokens: z.array(z.string().min(1).max(100)).max(1000),
  holder: Holder.shape.holder.optional(),
})
export const ExpiryRequest = z.strictObject({
  token: z.string().min(1).max(100),
  tenant: Holder.shape.tenant,
  /** Empty for a card that the partner has loaded. */
  holder: z.string().max(60),
  home: Holder,
})

/**
 * Creates the card vault: the frame that takes a card, and the API that converts it to a token. Does not listen yet.
 */
export async function createVault(options: VaultOptions): Promise<FastifyInstance> {
  const now = options.now ?? (() => new Date())
  const keys = deriveVaultKeys(options.secret)
  const store = createStore(options.databaseUrl, (error) => options.logger.warn({ err: error }, 'vault database'))
  const script = options.frameScript ?? 'dist/vault/frame.js'
  const app = await createHttpApp({
    host: 'vault',
    logger: options.logger,
    scheme: options.publicOrigin.startsWith('https:') ? 'https' : 'http',
    ...(options.requestTimeoutMs && { requestTimeoutMs: options.requestTimeoutMs }),
    parseQuery: flatQuery,
    referrerPolicy: 'no-referrer',
    framing: 'by-policy',
    // Bodies and addresses of requests are never logged, and errors may quote them.
    describeFailure: ({ name, message }) => ({ name, message }),
    sendError: (reply, { status }) => reply.send({ error: status >= 500 ? 'FAILED' : 'BAD_REQUEST' }),
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NOT_FOUND' }))
  const cleanupTimer = setInterval(() => store.purgeExpiredIntents().catch(() => {}), 3_600_000).unref()
  app.addHook('onClose', async () => {
    clearInterval(cleanupTimer)
    await store.close()
  })

  app.get('/api/keys', () => ({ keys: [keys.publicJwk] }))
  app.get('/frame.js', sameForAll, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(readFileSync(script)),
  )
  serveFrameFonts(app)
  app.get('/provider.js', sameForAll, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(providerScript),
  )
  app.post<{ Querystring: { key?: string } }>('/provider/sessions', (request, reply) => {
    const { origin } = request.headers
    if (!origin || !options.parentOrigins(origin)) return reply.code(403).send({ error: 'FORBIDDEN' })
    reply.header('access-control-allow-origin', origin).header('vary', 'origin')
    if (!keys.isPublishableKey(request.query.key ?? '')) return reply.code(401).send({ error: 'UNAUTHORIZED' })
    return { sessionId: keys.openSession(now()) }
  })
  app.get('/frame', async (request, reply) => {
    const query = queryOf(request)
    const nonce = createNonce()
    const intent = await store.liveIntent(query.get('intent') ?? '')
    const style = `:root{${frameColors(query)}}${frameFont(query)}`
    if (!intent) return sendNotice(reply, query.has('intent') ? messages.expired : messages.alone, style, nonce)
    return html(reply, nonce, intent.parentOrigin).send(framePage(intent, keys, style, nonce))
  })

  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      const given = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      if (!keys.isApiKey(given)) await reply.code(401).send({ error: 'UNAUTHORIZED' })
    })
    api.addHook('preHandler', async (request, reply) => {
      if (unstorablePath(request.body) !== null) await reply.code(400).send({ error: 'BAD_REQUEST' })
    })
    api.post('/api/intents', async (request, reply) => {
      const parsed = IntentRequest.safeParse(request.body)
      if (!parsed.success || !options.parentOrigins(parsed.data.parentOrigin)) {
        return reply.code(400).send({ error: 'BAD_REQUEST' })
      }
      const id = secretToken()
      const expiresAt = await store.addIntent({ id, ...parsed.data }, intentTtlSeconds)
      const frameUrl = `${options.publicOrigin}/frame?intent=${id}`
      return { intentId: id, frameUrl, expiresAt: expiresAt.toISOString() }
    })
    api.post('/api/tokens', async (request, reply) => {
      const parsed = TokenRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const result = await tokenize({ keys, store, now }, parsed.data)
      return 'error' in result ? reply.code(422).send(result) : result.card
    })
    api.post('/api/loaded-cards', async (request, reply) => {
      const parsed = LoadRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const result = await tokenizeLoaded({ keys, store, now }, parsed.data)
      return 'error' in result ? reply.code(422).send(result) : result.card
    })
    // Returns whether two dates are equal, without revealing them.
    api.post('/api/tokens/same-expiry', async (request, reply) => {
      const parsed = ExpiryRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const { token, home, ...requester } = parsed.data
      return { same: await store.sameExpiry(token, requester, home) }
    })
    api.post('/api/tokens/forget', async (request, reply) => {
      const parsed = DeleteCardsRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const { tenant, tokens, holder } = parsed.data
      await store.deleteCards(tenant, tokens, holder)
      return { forgotten: true }
    })
  })
  return app
}

function html(reply: FastifyReply, nonce: string, parent: string | null): FastifyReply {
  const policy = csp({
    'default-src': NONE,
    'script-src': nonceSource(nonce),
    'style-src': nonceSource(nonce),
    'font-src': SELF,
    'base-uri': NONE,
    'form-action': NONE,
    'frame-ancestors': parent ?? NONE,
  })
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
}

function sendNotice(reply: FastifyReply, text: string, style: string, nonce: string): FastifyReply {
  return html(reply.code(403), nonce, null).send(noticePage(text, style, nonce))
}
