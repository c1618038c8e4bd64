import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Day } from '../src/platform/day.ts'
import { outboundFetch } from '../src/platform/http/loopback.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import { signatureHeaders } from '../src/platform/security/signed.ts'
import { SECOND } from '../src/platform/time.ts'
import type { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { readAnswers } from './answers.ts'
import { endPage, type FormView, formPage } from './form-page.ts'
import type { FormOwner } from './owner.ts'
import { isOwnForm, lookOf, notice, send } from './respond.ts'
import type { FormsStore, Response } from './store.ts'
import { words } from './words.ts'

const reviewForm = 'review'
/** Days for which delivery to the program is retried. */
const tellDays = 7

const field = z.string().max(200).default('')
/** The reviewed transaction, from the program's link. */
const Meal = z.object({
  date: Day,
  merchantId: field,
  transactionId: z.string().min(1).max(80),
  familyId: z.string().min(1).max(60),
  merchantName: z.string().min(1).max(200),
  settleType: z.enum(['settle', 'manual']),
})
type Meal = z.output<typeof Meal>

interface ReviewParts {
  store: FormsStore
  owners: ReadonlyMap<string, FormOwner>
  onKept: () => void
}

type Request = FastifyRequest<{ Params: { code: string } }>

/** Routes of the review form, a standalone page in its own tab. */
export function reviewRoutes(app: FastifyInstance, { store, owners, onKept }: ReviewParts): void {
  app.get('/reviews/:code', (request: Request, reply) => {
    const meal = Meal.safeParse(Object.fromEntries(queryOf(request)))
    if (!owners.get(request.params.code)?.reviews || !meal.success) return reply.callNotFound()
    return show(request, reply, meal.data, { answers: {}, errors: {}, failed: false, responseId: randomUUID() })
  })

  app.post(
    '/reviews/:code/responses',
    { config: { rateLimit: { max: 20, timeWindow: 60_000 } } },
    async (request: Request, reply) => {
      const { code } = request.params
      if (!isOwnForm(request)) return notice(request, reply.code(403), words.failed)
      const sent = request.body as URLSearchParams
      const meal = Meal.safeParse(Object.fromEntries(sent))
      if (!owners.get(code)?.reviews || !meal.success) return reply.callNotFound()
      const form = formFor(meal.data)
      const { answers, errors } = readAnswers(form, sent)
      const id = z.uuid().safeParse(sent.get('response_id'))
      const responseId = id.data ?? randomUUID()
      const state = { answers, errors, responseId }
      if (Object.keys(errors).length > 0) return show(request, reply.code(400), meal.data, { ...state, failed: false })
      try {
        await store.add(code, { id: responseId, formId: reviewForm, answers, tracking: meal.data }, { tellDays })
      } catch (error) {
        request.log.error({ err: error as Error }, 'review not kept')
        return show(request, reply.code(503), meal.data, { ...state, failed: true })
      }
      onKept()
      const look = lookOf(request)
      return send(reply, null, look.nonce, endPage(form, look))
    },
  )
}

function show(
  request: Request,
  reply: FastifyReply,
  meal: Meal,
  state: Pick<FormView, 'answers' | 'errors' | 'failed' | 'responseId'>,
): FastifyReply {
  const look = lookOf(request)
  const action = `/reviews/${request.params.code}/responses`
  return send(reply, null, look.nonce, formPage({ form: formFor(meal), action, tracking: meal, ...state }, look))
}

function formFor({ merchantName, date }: Meal): FormDefinition {
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
  return {
    id: reviewForm,
    title: words.reviewTitle(merchantName),
    intro: words.reviewIntro(day),
    questions: [
      {
        id: 'rating',
        type: 'rating',
        label: words.reviewRating,
        required: true,
        low: words.reviewLow,
        high: words.reviewHigh,
      },
      { id: 'comment', type: 'long', label: words.reviewComment, required: false, most: 2000 },
    ],
    submit: words.reviewSubmit,
    thanks: words.reviewThanks,
  }
}

const every = 10 * SECOND

/**
 * Delivers reviews to their programs until they are accepted. `now` starts a round that would otherwise start within
 * seconds.
 */
export function keepTelling(
  store: FormsStore,
  { owners, logger }: { owners: ReadonlyMap<string, FormOwner>; logger: Logger },
) {
  let current = Promise.resolve()
  async function round(): Promise<void> {
    try {
      // Each response is tried once per round, so that a failing one does not block the others.
      let last: string | null = null
      do last = await store.tellOne(last, (response) => tell(owners, response))
      while (last !== null)
    } catch (error) {
      logger.warn({ err: error }, 'reviews not told')
    }
  }
  const now = () => {
    current = current.then(round)
  }
  const timer = setInterval(now, every).unref()
  return {
    now,
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}

/** Returns true when the program has accepted the review or has rejected it permanently. */
async function tell(
  owners: ReadonlyMap<string, FormOwner>,
  response: Response & { serviceCode: string },
): Promise<boolean> {
  const desk = owners.get(response.serviceCode)?.reviews
  if (!desk) return true
  const { transactionId, familyId } = response.tracking
  const body = JSON.stringify({
    txnId: transactionId,
    completed: true,
    familyId,
    responseId: response.id,
    rating: Number(response.answers.rating),
    comment: response.answers.comment ?? '',
  })
  const headers = signatureHeaders(desk.key, { body, url: desk.callbackUrl }, Date.now())
  const answer = await outboundFetch(desk.callbackUrl, { method: 'POST', headers, body, redirect: 'error' }).catch(
    () => null,
  )
  return answer !== null && (answer.ok || answer.status === 404 || answer.status === 409)
}
