import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  findWatchedCredit,
  insertDecision,
  listHistory,
  listWatchedCredits,
} from '../../rewards/payouts/decision-store.ts'
import { decisionsFor } from '../../rewards/payouts/rules.ts'
import {
  type AdminDeps,
  type AdminLink,
  type ConsoleUi,
  mayViewSettlements,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import type * as payoutPages from './pages.tsx'

export interface PayoutsAdminContext extends AdminDeps<{ config: { programName: string } }> {
  pages: ConsoleUi & typeof payoutPages
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

const Form = z
  .object({
    decision: z.enum(['ask', 'return', 'paid', 'order', 'acknowledge'], 'Choose what is to be done.'),
    reason: z
      .string()
      .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
      .max(500, 'The reason may have at most 500 characters.')
      .default(''),
  })
  .refine(({ decision, reason }) => decision === 'ask' || reason !== '', 'Give a reason: it stays on record.')

/** Registers the pages of statement credits whose outcome is unknown. For administrators. */
export function payoutsAdminRoutes(app: FastifyInstance, adminContext: PayoutsAdminContext): void {
  requirePasskey(app, 'payouts', adminContext)

  app.get('/:partner/payouts', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    if (!scope) return reply.callNotFound()
    return sendConsolePage(adminContext, request, reply, {
      title: `Payouts of ${scope.program.config.programName}`,
      breadcrumbs: [programsLink],
      Page: adminContext.pages.PayoutsPage,
      props: { partnerId: scope.partnerId, credits: await listWatchedCredits(scope.db) },
    })
  })

  app.get('/:partner/payouts/:id', (request: Request, reply) => sendCreditPage(adminContext, request, reply))

  app.post('/:partner/payouts/:id', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    const credit = scope && (await findWatchedCredit(scope.db, request.params.id ?? ''))
    if (!scope || !credit) return reply.callNotFound()
    const sent = request.body as URLSearchParams
    const typed = { decision: sent.get('decision') ?? '', reason: sent.get('reason') ?? '' }
    const form = Form.safeParse(Object.fromEntries(sent))
    if (!form.success) {
      const problem = form.error.issues[0]?.message ?? ''
      return sendCreditPage(adminContext, request, reply.code(400), { problem, typed })
    }
    const { decision, reason } = form.data
    if (!decisionsFor(credit.status, credit.attention).includes(decision)) {
      const problem = 'This credit has changed meanwhile. Your decision was not stored.'
      return sendCreditPage(adminContext, request, reply.code(409), { problem, typed })
    }
    await insertDecision(scope.db, { creditId: credit.id, decision, reason, by: scope.operator.email })
    return reply.redirect(`/${scope.partnerId}/payouts/${credit.creditId}`, 303)
  })
}

const nothingSent = { problem: null, typed: { decision: '', reason: '' } }
const programsLink = { label: 'Programs', href: '/programs' }

async function sendCreditPage(
  adminContext: PayoutsAdminContext,
  request: Request,
  reply: FastifyReply,
  { problem, typed }: Pick<payoutPages.PayoutView, 'problem' | 'typed'> = nothingSent,
) {
  const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
  const credit = scope && (await findWatchedCredit(scope.db, request.params.id ?? ''))
  if (!scope || !credit) return reply.callNotFound()
  const { partnerId, csrf, program } = scope
  const title = `Credit ${credit.creditId}`
  return sendConsolePage(adminContext, request, reply, {
    title: problem ? `Error: ${title}` : title,
    heading: title,
    breadcrumbs: [programsLink, { label: `Payouts of ${program.config.programName}`, href: `/${partnerId}/payouts` }],
    Page: adminContext.pages.PayoutPage,
    props: { partnerId, credit, history: await listHistory(scope.db, credit.id), csrf, problem, typed },
  })
}

export const payoutsLink: AdminLink = { label: 'Payouts', path: 'payouts', may: mayViewSettlements }
