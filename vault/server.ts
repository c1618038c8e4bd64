import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { RETRY_AFTER_SECONDS } from '../src/platform/database/database-away.ts'
import { frameColours } from '../src/platform/frame-colours.ts'
import { flatQuery } from '../src/platform/http/form-body.ts'
import { frameFont, serveFrameFonts } from '../src/platform/http/frame-fonts.ts'
import { queryOf, refuseMalformedTargets, statusOf } from '../src/platform/http/request-boundary.ts'
import { publicId, secretToken } from '../src/platform/security/ids.ts'
import { unstorablePath } from '../src/platform/text.ts'
import { framePage, noticePage } from './frame-page.ts'
import { vaultKeys } from './keys.ts'
import { providerScript } from './provider-script.ts'
import { createStore } from './store.ts'
import { tokenize, tokenizeLoaded } from './tokenize.ts'
import { words } from './words.ts'

export interface VaultOptions {
  /** A login in the role `dineback_vault`. */
  databaseUrl: string
  secret: string
  /** The vault's public origin. */
  publicOrigin: string
  /** Returns true for the exact origin of a page that may frame the vault. */
  parentOrigins: (origin: string) => boolean
  logger: Logger
  /** The built script of the frame. */
  frameScript?: string
  now?: () => Date
}

const intentLife = 5 * 60

const Bearer = z.strictObject({ tenant: z.string().min(1).max(60), holder: z.string().min(1).max(60) })
const IntentRequest = z.strictObject({
  ...Bearer.shape,
  parentOrigin: z.url().max(200),
  brands: z.array(z.enum(['AMEX', 'DISC', 'MAST', 'VISA'])).min(1),
})
const encryptedCardNumber = z.string().min(1).max(4096)
const TokenRequest = z.strictObject({
  ...Bearer.shape,
  encryptedCardNumber,
  deviceSession: z.string().max(200).optional(),
})
const LoadRequest = z.strictObject({ tenant: Bearer.shape.tenant, encryptedCardNumber })
const ForgetRequest = z.strictObject({
  tenant: z.string().min(1).max(40),
  tokens: z.array(z.string().min(1).max(100)).max(1000),
  holder: Bearer.shape.holder.optional(),
})
const ExpiryRequest = z.strictObject({
  token: z.string().min(1).max(100),
  tenant: Bearer.shape.tenant,
  /** Empty for a card that the partner has loaded. */
  holder: z.string().max(60),
  home: Bearer,
})

/**
 * Creates the card vault: the frame that takes a card, and the API that converts it to a token. Does not listen yet.
 */
export async function createVault(options: VaultOptions): Promise<FastifyInstance> {
  const now = options.now ?? (() => new Date())
  const keys = vaultKeys(options.secret)
  const store = createStore(options.databaseUrl, (error) => options.logger.warn({ err: error }, 'vault database'))
  const script = options.frameScript ?? 'dist/vault/frame.js'
  const app = Fastify({
    // Bodies and addresses of requests are never logged.
    loggerInstance: options.logger.child({ door: 'vault' }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => publicId(),
    bodyLimit: 64 * 1024,
    handlerTimeout: 8_000,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { querystringParser: flatQuery },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  refuseMalformedTargets(app as unknown as FastifyInstance)
  app.removeContentTypeParser('text/plain')
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NOT_FOUND' }))
  const sweeper = setInterval(() => store.sweep().catch(() => {}), 3_600_000).unref()
  app.addHook('onClose', async () => {
    clearInterval(sweeper)
    await store.close()
  })

  app.get('/api/keys', () => ({ keys: [keys.publicJwk] }))
  app.get('/frame.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(readFileSync(script)),
  )
  serveFrameFonts(app as unknown as FastifyInstance)
  app.get('/provider.js', (_request, reply) =>
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
    const nonce = randomBytes(16).toString('base64')
    const intent = await store.liveIntent(query.get('intent') ?? '')
    const look = `:root{${frameColours(query)}}${frameFont(query)}`
    if (!intent) return notice(reply, query.has('intent') ? words.expired : words.alone, look, nonce)
    return html(reply, nonce, intent.parentOrigin).send(framePage(intent, keys, look, nonce))
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
      const expiresAt = await store.addIntent({ id, ...parsed.data }, intentLife)
      const frameUrl = `${options.publicOrigin}/frame?intent=${id}`
      return { intentId: id, frameUrl, expiresAt: expiresAt.toISOString() }
    })
    api.post('/api/tokens', async (request, reply) => {
      const parsed = TokenRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const answer = await tokenize({ keys, store, now }, parsed.data)
      return 'error' in answer ? reply.code(422).send(answer) : answer.card
    })
    api.post('/api/loaded-cards', async (request, reply) => {
      const parsed = LoadRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const answer = await tokenizeLoaded({ keys, store, now }, parsed.data)
      return 'error' in answer ? reply.code(422).send(answer) : answer.card
    })
    // Returns whether two dates are equal, without revealing them.
    api.post('/api/tokens/same-expiry', async (request, reply) => {
      const parsed = ExpiryRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const { token, home, ...asking } = parsed.data
      return { same: await store.sameExpiry(token, asking, home) }
    })
    api.post('/api/tokens/forget', async (request, reply) => {
      const parsed = ForgetRequest.safeParse(request.body)
      if (!parsed.success) return reply.code(400).send({ error: 'BAD_REQUEST' })
      const { tenant, tokens, holder } = parsed.data
      await store.forgetCards(tenant, tokens, holder)
      return { forgotten: true }
    })
  })
  return app as unknown as FastifyInstance
}

function answerError(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error, request)
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (status >= 500) request.log.error({ name: error.name, message: error.message }, 'vault failed')
  if (status === 408) reply.header('connection', 'close')
  return reply.code(status).send({ error: status >= 500 ? 'FAILED' : 'BAD_REQUEST' })
}

function html(reply: FastifyReply, nonce: string, parent: string | null): FastifyReply {
  const ancestors = parent ?? "'none'"
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
    )
    .type('text/html; charset=utf-8')
}

function notice(reply: FastifyReply, text: string, look: string, nonce: string): FastifyReply {
  return html(reply.code(403), nonce, null).send(noticePage(text, look, nonce))
}
