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
  code: z.enum(resolutions, 'Choose an outcome.'),
  words: z
    .string()
    // Browsers count the end of a line as one character, and send two.
    .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
    .max(500, 'The message may have at most 500 characters.')
    .default(''),
})

/** Parses a reward such as `1440` or `1,440`; null when it is not from 1 to 1,000,000. */
function rewardOf(typed: string): number | null {
  const reward = /^(\d+|\d{1,3}(,\d{3})+)$/.test(typed.trim()) ? Number(typed.replaceAll(',', '')) : 0
  return reward >= 1 && reward <= 1_000_000 ? reward : null
}

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

  app.get('/:partner/claims/:id', (request: Request, reply) => sendClaimPage(adminContext, request, reply))

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
    const typed: Record<string, string> = Object.fromEntries(request.body as URLSearchParams)
    const again = (problem: string) => sendClaimPage(adminContext, request, reply.code(400), { problem, typed })
    const form = Decision.safeParse(typed)
    if (!form.success) return again(form.error.issues[0]?.message ?? '')
    const { code, words } = form.data
    const benefit = code === 'credited' ? rewardOf(typed.benefit ?? '') : 0
    if (benefit === null) return again('To credit it, enter the reward as a whole number from 1 to 1,000,000.')
    const decision = { code, words, benefit, by: scope.operator.email }
    if (!(await store.storeDecision(scope.db, claim.publicId, decision)))
      return sendClaimPage(adminContext, request, reply.code(409), {
        problem: 'This claim has already been decided. Your decision was not stored.',
      })
    return reply.redirect(`/${scope.partnerId}/claims/${claim.publicId}`, 303)
  })
}

const programsLink = { label: 'Programs', href: '/' }

async function sendClaimPage(
  adminContext: ClaimAdminContext,
  request: Request,
  reply: FastifyReply,
  { problem, typed }: { problem?: string; typed?: Record<string, string> } = {},
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
    typed: typed ?? {},
    problem: problem ?? null,
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
