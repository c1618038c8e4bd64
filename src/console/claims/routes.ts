import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { mayImpersonate } from '../../identity/impersonation/service.ts'
import { csp, NONE } from '../../platform/http/csp.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import type { Explanation } from '../../rewards/claims/contract.ts'
import { resolutions } from '../../rewards/claims/rules.ts'
import {
  type AdminContext,
  type AdminDeps,
  type AdminLink,
  type ConsoleUi,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import type * as claimPages from './pages.tsx'
import * as store from './store.ts'

export interface ClaimAdminContext extends AdminDeps<{ config: PublicConfig }> {
  pages: ConsoleUi & typeof claimPages
  /** Returns a program's text for a copy key. */
  translate: (partnerId: string, key: string, params: Record<string, string>) => string
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

type Scope = AdminContext<{ config: PublicConfig }>

const Decision = z.object({
  code: z.enum(resolutions),
  benefit: z.coerce.number().int().min(0).max(1_000_000).default(0),
  words: z.string().trim().max(500).default(''),
})

/** Registers the console pages where operators decide claims. For support and administrators. */
export function claimAdminRoutes(app: FastifyInstance, adminContext: ClaimAdminContext): void {
  requirePasskey(app, 'claims', adminContext)

  app.get('/:partner/claims', async (request: Request, reply) => {
    const scope = resolveScope(adminContext, request)
    if (!scope) return reply.callNotFound()
    return sendConsolePage(adminContext, request, reply, {
      title: `Claims of ${scope.program.config.programName}`,
      Page: adminContext.pages.ClaimsPage,
      props: { partnerId: scope.partnerId, claims: await store.listOpenClaims(scope.db), now: new Date() },
      breadcrumbs: [programsLink],
    })
  })

  app.get('/:partner/claims/:id', (request: Request, reply) => sendClaimPage(adminContext, request, reply, null))

  app.get('/:partner/claims/:id/receipt', async (request: Request, reply) => {
    const scope = resolveScope(adminContext, request)
    const receipt = scope && (await store.findReceipt(scope.db, request.params.id ?? ''))
    if (!receipt) return reply.callNotFound()
    // Uploaded files are untrusted: sent as a download, never rendered here.
    return reply
      .header('content-disposition', 'attachment; filename="receipt"')
      .header('content-security-policy', csp({ 'default-src': NONE, sandbox: true }))
      .type(receipt.type)
      .send(receipt.bytes)
  })

  app.post('/:partner/claims/:id', async (request: Request, reply) => {
    const scope = resolveScope(adminContext, request)
    const claim = scope && (await store.findClaim(scope.db, request.params.id ?? ''))
    if (!scope || !claim) return reply.callNotFound()
    const form = Decision.safeParse(Object.fromEntries(request.body as URLSearchParams))
    if (!form.success)
      return sendClaimPage(adminContext, request, reply.code(400), 'Please enter the reward as a whole number.')
    const { code, benefit, words } = form.data
    if (code === 'credited' && benefit === 0) {
      return sendClaimPage(adminContext, request, reply.code(400), 'A credit needs a reward of more than nothing.')
    }
    const creditedBenefit = code === 'credited' ? benefit : 0
    await store.storeDecision(scope.db, claim.publicId, {
      code,
      words,
      benefit: creditedBenefit,
      by: scope.operator.email,
    })
    return reply.redirect(`/${scope.partnerId}/claims/${claim.publicId}`, 303)
  })
}

const programsLink = { label: 'Programs', href: '/' }

async function sendClaimPage(
  adminContext: ClaimAdminContext,
  request: Request,
  reply: FastifyReply,
  problem: string | null,
) {
  const scope = resolveScope(adminContext, request)
  const claim = scope && (await store.findClaim(scope.db, request.params.id ?? ''))
  if (!scope || !claim) return reply.callNotFound()
  const { partnerId, program } = scope
  const { config } = program
  const { findings } = claim.findings as Explanation
  const props = {
    partnerId,
    claim,
    similar: await store.listSimilarTransactions(scope.db, claim),
    suggested: suggestedBenefit(config, claim.amountCents),
    unit: config.currencyType === 'Mile' || config.currencyType === 'Point' ? config.currencyName : 'cents',
    findings: findings.map(({ key, params }) => adminContext.translate(partnerId, key, params)),
    csrf: scope.csrf,
    problem,
  }
  const breadcrumbs = [programsLink, { label: `Claims of ${config.programName}`, href: `/${partnerId}/claims` }]
  return sendConsolePage(adminContext, request, reply, {
    title: claim.merchantName,
    breadcrumbs,
    Page: adminContext.pages.ClaimPage,
    props,
  })
}

/** Returns the reward of a bill at the program's ordinary rate, in the smallest unit: the operator's initial value. */
function suggestedBenefit({ earnRates, earnStepCents }: PublicConfig, cents: number): number {
  return Math.floor(((cents - (cents % earnStepCents)) * (earnRates.OptedIn ?? 0)) / 10_000)
}

const resolveScope = (adminContext: ClaimAdminContext, request: Request): Scope | null =>
  resolveAdminContext(adminContext, request, mayImpersonate)

export const claimsLink: AdminLink = { label: 'Claims', path: 'claims', may: mayImpersonate }
