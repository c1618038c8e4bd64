import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { RETRY_AFTER_SECONDS } from '../src/platform/database/database-away.ts'
import { acceptOnlyForms } from '../src/platform/http/form-body.ts'
import { serveFrameFonts } from '../src/platform/http/frame-fonts.ts'
import { limitRates } from '../src/platform/http/rate-limit.ts'
import { queryOf, refuseMalformedTargets, statusOf } from '../src/platform/http/request-boundary.ts'
import { publicId } from '../src/platform/security/ids.ts'
import type { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { readAnswers, Tracking } from './answers.ts'
import { type FormView, formPage, thanksPage } from './form-page.ts'
import type { FormOwner } from './owner.ts'
import { isOwnForm, lookOf, notice, send } from './respond.ts'
import { keepTelling, reviewRoutes } from './reviews.ts'
import { createStore } from './store.ts'
import { words } from './words.ts'

export interface FormsOptions {
  /** A login in the role `dineback_forms`. */
  databaseUrl: string
  /** Owners by their code at the form service. */
  owners: ReadonlyMap<string, FormOwner>
  trustedProxy?: string | undefined
  logger: Logger
}

interface Asked {
  code: string
  owner: FormOwner
  form: FormDefinition
  query: URLSearchParams
}

/** Creates the form service, which shows forms and stores responses. Does not listen yet. */
export async function createForms(options: FormsOptions): Promise<FastifyInstance> {
  const store = createStore(options.databaseUrl, (error) => options.logger.warn({ err: error }, 'forms database'))
  const app = Fastify({
    loggerInstance: options.logger.child({ door: 'forms' }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => publicId(),
    bodyLimit: 64 * 1024,
    handlerTimeout: 8_000,
    trustProxy: options.trustedProxy ?? false,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }) as unknown as FastifyInstance
  refuseMalformedTargets(app)
  acceptOnlyForms(app)
  await limitRates(app)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      // Not "no-referrer": browsers would then omit the origin of submitted forms.
      'referrer-policy': 'same-origin',
    })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  const telling = keepTelling(store, options)
  app.addHook('onClose', async () => {
    await telling.stop()
    await store.close()
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => notice(request, reply.code(404), words.noForm))

  serveFrameFonts(app)
  app.get<{ Params: { code: string; id: string } }>('/forms/:code/:id', (request, reply) => {
    const asked = find(options.owners, request)
    if (!asked) return reply.callNotFound()
    return show(request, reply, asked, { answers: {}, errors: {}, failed: false, responseId: randomUUID() })
  })
  app.post<{ Params: { code: string; id: string } }>(
    '/forms/:code/:id/responses',
    { config: { rateLimit: { max: 20, timeWindow: 60_000 } } },
    async (request, reply) => {
      const asked = find(options.owners, request)
      if (!asked) return reply.callNotFound()
      if (!isOwnForm(request)) return notice(request, reply.code(403), words.failed)
      const sent = request.body as URLSearchParams
      const { answers, errors } = readAnswers(asked.form, sent)
      const read = Sent.safeParse(Object.fromEntries(sent))
      const responseId = read.data?.response_id ?? randomUUID()
      const wrong = Object.keys(errors).length > 0 || !read.success
      if (wrong) return show(request, reply.code(400), asked, { answers, errors, failed: !read.success, responseId })
      const { response_id: id, ...tracking } = read.data
      try {
        await store.add(asked.code, { id, formId: asked.form.id, answers, tracking })
      } catch (error) {
        request.log.error({ err: error as Error }, 'answers not kept')
        if (isFramed(asked)) return show(request, reply.code(503), asked, { answers, errors, failed: true, responseId })
        return reply.redirect(`${asked.owner.appOrigin}/surveys/error`, 303)
      }
      if (!isFramed(asked)) return reply.redirect(`${asked.owner.appOrigin}/surveys/success`, 303)
      const look = lookOf(request)
      return send(reply, asked.owner.appOrigin, look.nonce, thanksPage(asked.form, asked.owner.appOrigin, look))
    },
  )
  reviewRoutes(app, { store, owners: options.owners, onKept: telling.now })
  return app
}

/** Sends an error page. */
function answerError(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error, request)
  if (status >= 500) request.log.error({ err: error }, 'forms failed')
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (status === 408) reply.header('connection', 'close')
  return notice(request, reply.code(status), status === 429 ? words.tooMany : words.failed)
}

const Sent = z.object({ ...Tracking.shape, response_id: z.uuid() })

function find(
  owners: FormsOptions['owners'],
  request: FastifyRequest<{ Params: { code: string; id: string } }>,
): Asked | null {
  const { params } = request
  const owner = owners.get(params.code)
  const form = owner?.forms.get(params.id)
  return owner && form ? { code: params.code, owner, form, query: queryOf(request) } : null
}

const isFramed = ({ query }: Asked) => query.get('view') === 'frame'

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  state: Pick<FormView, 'answers' | 'errors' | 'failed' | 'responseId'>,
): FastifyReply {
  const look = lookOf(request)
  const sent = request.body instanceof URLSearchParams ? request.body : asked.query
  const tracking = Tracking.safeParse(Object.fromEntries(sent)).data ?? Tracking.parse({})
  const action = `/forms/${asked.code}/${asked.form.id}/responses?${asked.query}`
  return send(
    reply,
    asked.owner.appOrigin,
    look.nonce,
    formPage({ form: asked.form, action, tracking, ...state }, look),
  )
}
