import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createHttpApp } from '../src/platform/http/create-http-app.ts'
import { acceptOnlyForms } from '../src/platform/http/form-body.ts'
import { serveFrameFonts } from '../src/platform/http/frame-fonts.ts'
import { isOwnForm } from '../src/platform/http/own-form.ts'
import { limitRates } from '../src/platform/http/rate-limit.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import type { CountJob } from '../src/platform/jobs/workers.ts'
import type { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { type FormView, formPage, thanksPage } from './form-page.ts'
import { messages } from './messages.ts'
import type { FormOwner } from './owner.ts'
import { pageStyleOf, sendNoticePage, sendPage } from './respond.ts'
import { readResponse, Tracking } from './response-values.ts'
import { reviewRoutes, startReviewDelivery } from './reviews.ts'
import { createStore } from './store.ts'

export interface FormsOptions {
  /** A login in the role `dineback_forms`. */
  databaseUrl: string
  /** Owners by their code at the form service. */
  owners: ReadonlyMap<string, FormOwner>
  scheme: 'http' | 'https'
  trustedProxy?: string | undefined
  requestTimeoutMs?: number
  logger: Logger
  /** Counts every attempt to deliver a review; a process without metrics has none. */
  countJob?: CountJob
}

interface FormRequest {
  code: string
  owner: FormOwner
  form: FormDefinition
  query: URLSearchParams
}

/** Creates the form service, which shows forms and stores responses. Does not listen yet. */
export async function createForms(options: FormsOptions): Promise<FastifyInstance> {
  const store = createStore(options.databaseUrl, (error) => options.logger.warn({ err: error }, 'forms database'))
  const app = await createHttpApp({
    host: 'forms',
    logger: options.logger,
    scheme: options.scheme,
    trustedProxy: options.trustedProxy,
    ...(options.requestTimeoutMs && { requestTimeoutMs: options.requestTimeoutMs }),
    // Not "no-referrer": browsers would then omit the origin of submitted forms.
    referrerPolicy: 'same-origin',
    framing: 'by-policy',
    sendError,
  })
  acceptOnlyForms(app)
  await limitRates(app)
  const reviewDelivery = startReviewDelivery(store, options)
  app.addHook('onClose', async () => {
    await reviewDelivery.stop()
    await store.close()
  })
  app.setNotFoundHandler((request, reply) => sendNoticePage(request, reply.code(404), messages.noForm))

  serveFrameFonts(app)
  app.get<{ Params: { code: string; id: string } }>('/forms/:code/:id', (request, reply) => {
    const formRequest = find(options.owners, request)
    if (!formRequest) return reply.callNotFound()
    return show(request, reply, formRequest, { fieldValues: {}, errors: {}, failed: false, responseId: randomUUID() })
  })
  app.post<{ Params: { code: string; id: string } }>(
    '/forms/:code/:id/responses',
    { config: { rateLimit: { max: 20, timeWindow: 60_000 } } },
    async (request, reply) => {
      const formRequest = find(options.owners, request)
      if (!formRequest) return reply.callNotFound()
      if (!isOwnForm(request)) return sendNoticePage(request, reply.code(403), messages.failed)
      const sent = request.body as URLSearchParams
      const { fieldValues, errors } = readResponse(formRequest.form, sent)
      const read = SubmittedFields.safeParse(Object.fromEntries(sent))
      const responseId = read.data?.response_id ?? randomUUID()
      const wrong = Object.keys(errors).length > 0 || !read.success
      if (wrong)
        return show(request, reply.code(400), formRequest, { fieldValues, errors, failed: !read.success, responseId })
      const { response_id: id, ...tracking } = read.data
      try {
        await store.add(formRequest.code, { id, formId: formRequest.form.id, fieldValues, tracking })
      } catch (error) {
        request.log.error({ err: error as Error }, 'response not stored')
        if (isFramed(formRequest))
          return show(request, reply.code(503), formRequest, { fieldValues, errors, failed: true, responseId })
        return reply.redirect(`${formRequest.owner.appOrigin}/surveys/error`, 303)
      }
      if (!isFramed(formRequest)) return reply.redirect(`${formRequest.owner.appOrigin}/surveys/success`, 303)
      const style = pageStyleOf(request)
      return sendPage(
        reply,
        formRequest.owner.appOrigin,
        style.nonce,
        thanksPage(formRequest.form, formRequest.owner.appOrigin, style),
      )
    },
  )
  reviewRoutes(app, { store, owners: options.owners, onStored: reviewDelivery.now })
  return app
}

/** Sends an error page. */
function sendError(reply: FastifyReply, { status }: { status: number }, request: FastifyRequest) {
  return sendNoticePage(request, reply, status === 429 ? messages.tooMany : messages.failed)
}

const SubmittedFields = z.object({ ...Tracking.shape, response_id: z.uuid() })

function find(
  owners: FormsOptions['owners'],
  request: FastifyRequest<{ Params: { code: string; id: string } }>,
): FormRequest | null {
  const { params } = request
  const owner = owners.get(params.code)
  const form = owner?.forms.get(params.id)
  return owner && form ? { code: params.code, owner, form, query: queryOf(request) } : null
}

const isFramed = ({ query }: FormRequest) => query.get('view') === 'frame'

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  formRequest: FormRequest,
  state: Pick<FormView, 'fieldValues' | 'errors' | 'failed' | 'responseId'>,
): FastifyReply {
  const style = pageStyleOf(request)
  const sent = request.body instanceof URLSearchParams ? request.body : formRequest.query
  const tracking = Tracking.safeParse(Object.fromEntries(sent)).data ?? Tracking.parse({})
  const action = `/forms/${formRequest.code}/${formRequest.form.id}/responses?${formRequest.query}`
  return sendPage(
    reply,
    formRequest.owner.appOrigin,
    style.nonce,
    formPage(
      {
        form: formRequest.form,
        action,
        tracking,
        ...state,
        parentOrigin: isFramed(formRequest) ? formRequest.owner.appOrigin : undefined,
      },
      style,
    ),
  )
}
