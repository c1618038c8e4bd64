import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { csp, NONE } from '../../platform/http/csp.ts'
import { isLegible } from '../../platform/legible-text.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import type { Explanation } from '../../rewards/claims/contract.ts'
import { resolutions } from '../../rewards/claims/rules.ts'
import { ordinaryReward } from '../../rewards/earning/rules.ts'
import {
  type AdminContext,
  type AdminDeps,
  type AdminLink,
  type ConsoleUi,
  mayDecideClaims,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import type * as claimPages from './pages.tsx'
import { rewardFieldFor } from './reward-field.ts'
import * as store from './store.ts'

export interface ClaimAdminContext extends AdminDeps<{ config: PublicConfig }> {
  pages: ConsoleUi & typeof claimPages
  /** Returns a program's text for a copy key. */
  translate: (partnerId: string, key: string, params: Record<string, string>) => string
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

type Scope = AdminContext<{ config: PublicConfig }>
type ClaimField = NonNullable<claimPages.ClaimView['problem']>['field']

const Decision = z.object({
  code: z.enum(resolutions, 'Choose an outcome.'),
  words: z
    .string()
    // Browsers count the end of a line as one character, and send two.
    .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
    .max(500, 'The message may have at most 500 characters.')
    .refine(
      (text) => isLegible(text, { multiline: true }),
      'The message has an invisible character. Please type it again.',
    )
    .default(''),
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
    const rejectLate = () =>
      sendClaimPage(adminContext, request, reply.code(409), {
        problem: { text: 'This claim has already been decided. Your decision was not stored.', field: null },
      })
    const again = (text: string, field: ClaimField, toConfirm: number | null = null) =>
      claim.decidedAt
        ? rejectLate()
        : sendClaimPage(adminContext, request, reply.code(400), { problem: { text, field }, typed, toConfirm })
    const form = Decision.safeParse(typed)
    if (!form.success) {
      const [issue] = form.error.issues
      return again(issue?.message ?? '', issue?.path[0] === 'words' ? 'words' : 'code')
    }
    const { code, words } = form.data
    const rewardField = rewardFieldFor(scope.program.config)
    const benefit = code === 'credited' ? rewardField.parse(typed.benefit ?? '') : 0
    if (benefit === null) return again(rewardField.problem, 'benefit')
    const expected = expectedBenefit(scope.program.config, claim)
    if (benefit > maxTimesExpected * Math.max(expected, 1) && typed.confirmed !== String(benefit)) {
      const usual = formatReward(scope.program.config, expected)
      const text = `This is more than twice what the meal would earn (${usual}). Check the reward, and confirm it.`
      return again(text, 'benefit', benefit)
    }
    const another = code === 'credited' && typed.another ? typed.another : ''
    if (code === 'credited' && !claim.decidedAt) {
      const earning = earningIds(await store.listSimilarTransactions(scope.db, claim))
      // Only what the operator has seen is confirmed.
      if (another !== earning) return again(earningText, 'another')
    }
    const otherMeals = another === '' ? undefined : another.split(',')
    const decision = { code, words, benefit, ...(otherMeals && { otherMeals }), by: scope.operator.email }
    const isStored =
      (await store.storeDecision(scope.db, claim.publicId, decision)) ||
      (await store.hasDecision(scope.db, claim.publicId, decision))
    if (!isStored) return rejectLate()
    return reply.redirect(`/${scope.partnerId}/claims/${claim.publicId}`, 303)
  })
}

const earningText = 'A meal like this earns already. Look at it below, and confirm that the claim is about another one.'

/** Returns the ids of the entries that may be the claimed meal and earn, as the form sends them back. */
const earningIds = (similar: readonly store.SimilarTransaction[]) =>
  similar.flatMap(({ earning, networkId }) => (earning ? [networkId] : [])).join(',')

const programsLink = { label: 'Programs', href: '/' }

async function sendClaimPage(
  adminContext: ClaimAdminContext,
  request: Request,
  reply: FastifyReply,
  {
    problem = null,
    typed = {},
    toConfirm = null,
  }: Partial<Pick<claimPages.ClaimView, 'problem' | 'typed' | 'toConfirm'>> = {},
) {
  const scope = resolveScope(adminContext, request)
  const claim = scope && (await store.findClaim(scope.db, request.params.id ?? ''))
  if (!scope || !claim) return reply.callNotFound()
  const { partnerId, program } = scope
  const { config } = program
  const { findings, anotherMeal = false } = claim.findings as Explanation & { anotherMeal?: boolean }
  const rewardField = rewardFieldFor(config)
  const similar = await store.listSimilarTransactions(scope.db, claim)
  const props = {
    partnerId,
    claim,
    similar,
    earningIds: earningIds(similar),
    similarClaims: await store.listSimilarClaims(scope.db, claim),
    anotherMeal,
    currency: config,
    suggested: rewardField.format(expectedBenefit(config, claim)),
    unit: rewardField.unit,
    findings: findings.map(({ key, params }) => adminContext.translate(partnerId, key, params)),
    csrf: scope.csrf,
    typed,
    problem,
    toConfirm,
  }
  const breadcrumbs = [programsLink, { label: `Claims of ${config.programName}`, href: `/${partnerId}/claims` }]
  return sendConsolePage(adminContext, request, reply, {
    title: `${problem ? 'Error: ' : ''}${claim.merchantName}`,
    heading: claim.merchantName,
    breadcrumbs,
    Page: adminContext.pages.ClaimPage,
    props,
  })
}

/** A larger reward, as a multiple of the expected one, is credited only after a confirmation. */
const maxTimesExpected = 2

/**
 * Returns the reward that the member was shown as expected, in the smallest unit; where none was shown, that of the
 * bill at the ordinary rate of the program.
 */
function expectedBenefit(config: PublicConfig, claim: store.ConsoleClaim): number {
  const { findings } = claim.findings as Explanation
  const shown = findings.find(({ key }) => key === 'claims.would_earn')?.params.smallestUnits
  if (shown !== undefined) return Number(shown)
  return ordinaryReward(config, claim.amountCents, 'OptedIn')
}

const resolveScope = (adminContext: ClaimAdminContext, request: Request): Scope | null =>
  resolveAdminContext(adminContext, request, mayDecideClaims)

export const claimsLink: AdminLink = { label: 'Claims', path: 'claims', may: mayDecideClaims }
