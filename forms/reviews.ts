import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Day } from '../src/platform/day.ts'
import { sentLine } from '../src/platform/form-schema.ts'
import { outboundFetch } from '../src/platform/http/outbound-fetch.ts'
import { isOwnForm } from '../src/platform/http/own-form.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import { type CountJob, startCallbackWorker } from '../src/platform/jobs/workers.ts'
import { signatureHeaders } from '../src/platform/security/webhook-signature.ts'
import type { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { endPage, type FormView, formPage } from './form-page.ts'
import { messages } from './messages.ts'
import type { FormOwner } from './owner.ts'
import { pageStyleOf, sendNoticePage, sendPage } from './respond.ts'
import { readResponse } from './response-values.ts'
import type { FormsStore, Response } from './store.ts'

const reviewForm = 'review'
/** Days for which delivery to the program is retried. The retries of the job queue last as long. */
const notifyDays = 7

const field = sentLine().max(200).default('')
/** The reviewed transaction, from the program's link. */
export const ReviewedTransaction = z.object({
  date: Day,
  merchantId: field,
  transactionId: z.string().min(1).max(80),
  familyId: z.string().min(1).max(60),
  merchantName: sentLine().min(1).max(200),
  settleType: z.enum(['settle', 'manual']),
})
type ReviewedTransaction = z.output<typeof ReviewedTransaction>

interface ReviewDeps {
  store: FormsStore
  owners: ReadonlyMap<string, FormOwner>
  onStored: () => void
}

type Request = FastifyRequest<{ Params: { code: string } }>

/** Routes of the review form, a standalone page in its own tab. */
export function reviewRoutes(app: FastifyInstance, { store, owners, onStored }: ReviewDeps): void {
  app.get('/reviews/:code', (request: Request, reply) => {
    const transaction = ReviewedTransaction.safeParse(Object.fromEntries(queryOf(request)))
    if (!owners.get(request.params.code)?.reviews || !transaction.success) return reply.callNotFound()
    return show(request, reply, transaction.data, {
      fieldValues: {},
      errors: {},
      failed: false,
      responseId: randomUUID(),
    })
  })

  app.post(
    '/reviews/:code/responses',
    { config: { rateLimit: { max: 20, timeWindow: 60_000 } } },
    async (request: Request, reply) => {
      const { code } = request.params
      if (!isOwnForm(request)) return sendNoticePage(request, reply.code(403), messages.failed)
      const sent = request.body as URLSearchParams
      const transaction = ReviewedTransaction.safeParse(Object.fromEntries(sent))
      if (!owners.get(code)?.reviews || !transaction.success) return reply.callNotFound()
      const form = formFor(transaction.data)
      const { fieldValues, errors } = readResponse(form, sent)
      const id = z.uuid().safeParse(sent.get('response_id'))
      const responseId = id.data ?? randomUUID()
      const state = { fieldValues, errors, responseId }
      if (Object.keys(errors).length > 0)
        return show(request, reply.code(400), transaction.data, { ...state, failed: false })
      let isRepeated = false
      try {
        // It is stored nevertheless: the program may not have accepted the first one.
        isRepeated = await store.hasOtherReview(code, { id: responseId, tracking: transaction.data })
        await store.add(
          code,
          { id: responseId, formId: reviewForm, fieldValues, tracking: transaction.data },
          { notifyDays },
        )
      } catch (error) {
        request.log.error({ err: error as Error }, 'review not stored')
        return show(request, reply.code(503), transaction.data, { ...state, failed: true })
      }
      onStored()
      const style = pageStyleOf(request)
      return sendPage(
        reply,
        null,
        style.nonce,
        endPage(isRepeated ? { ...form, thanks: messages.reviewAgain } : form, style),
      )
    },
  )
}

function show(
  request: Request,
  reply: FastifyReply,
  transaction: ReviewedTransaction,
  state: Pick<FormView, 'fieldValues' | 'errors' | 'failed' | 'responseId'>,
): FastifyReply {
  const style = pageStyleOf(request)
  const action = `/reviews/${request.params.code}/responses`
  return sendPage(
    reply,
    null,
    style.nonce,
    formPage({ form: formFor(transaction), action, tracking: transaction, ...state }, style),
  )
}

function formFor({ merchantName, date }: ReviewedTransaction): FormDefinition {
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
  return {
    id: reviewForm,
    title: messages.reviewTitle(merchantName),
    intro: messages.reviewIntro(day),
    questions: [
      {
        id: 'rating',
        type: 'rating',
        label: messages.reviewRating,
        required: true,
        low: messages.reviewLow,
        high: messages.reviewHigh,
      },
      { id: 'comment', type: 'long', label: messages.reviewComment, required: false, most: 2000 },
    ],
    submit: messages.reviewSubmit,
    thanks: messages.reviewThanks,
  }
}

/**
 * Delivers reviews to their programs, until they are accepted or the retries of the queue end. `now` delivers at once
 * instead of within seconds; `stop` waits for the running deliveries.
 */
export function startReviewDelivery(
  store: FormsStore,
  {
    owners,
    logger,
    countJob,
  }: { owners: ReadonlyMap<string, FormOwner>; logger: Logger; countJob?: CountJob | undefined },
) {
  return startCallbackWorker(
    async ({ id }) => {
      const response = await store.findUndelivered(id)
      if (!response) return
      if (!(await deliver(owners, response))) throw new Error('the program did not accept the review')
      await store.recordDelivery(id)
    },
    { executeSql: store.query, log: logger, countJob },
  )
}

/**
 * Returns true when the program has accepted the review or has rejected it permanently. Throws when this process has no
 * callback of the program.
 */
async function deliver(
  owners: ReadonlyMap<string, FormOwner>,
  response: Response & { serviceCode: string },
): Promise<boolean> {
  const callback = owners.get(response.serviceCode)?.reviews
  // A review is stored only when its program has a callback, so a process with all programs and the key can deliver it.
  if (!callback) throw new Error('this process does not know the program of the review, or has no REVIEW_KEY')
  const { transactionId, familyId } = response.tracking
  const body = JSON.stringify({
    txnId: transactionId,
    completed: true,
    familyId,
    responseId: response.id,
    rating: Number(response.fieldValues.rating),
    comment: response.fieldValues.comment ?? '',
  })
  const headers = signatureHeaders(callback.key, { body, url: callback.callbackUrl }, Date.now())
  const callbackResponse = await outboundFetch(callback.callbackUrl, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
  }).catch(() => null)
  return callbackResponse !== null && isFinalStatus(callbackResponse.status)
}

/** Returns whether no further try is due: the review is accepted, or its transaction is unknown or was reviewed before. */
export const isFinalStatus = (status: number) => (status >= 200 && status < 300) || status === 404 || status === 409
