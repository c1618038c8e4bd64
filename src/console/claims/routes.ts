import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { mayEmulate } from '../../identity/impersonation/service.ts'
import { html } from '../../platform/html.ts'
import type { Operator } from '../../platform/http/operator.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import type { Explanation } from '../../rewards/claims/contract.ts'
import { resolutions } from '../../rewards/claims/rules.ts'
import { askForPasskey, type Desk, type DeskPlace, placeAt, sendConsolePage } from '../operators/service.ts'
import { claimPage, claimsPage } from './pages.ts'
import * as store from './store.ts'

export interface ClaimDesk extends Desk<{ config: PublicConfig }> {
  /** Returns a program's text for a copy key. */
  word: (partnerId: string, key: string, params: Record<string, string>) => string
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

type Place = DeskPlace<{ config: PublicConfig }>

const Decision = z.object({
  code: z.enum(resolutions),
  benefit: z.coerce.number().int().min(0).max(1_000_000).default(0),
  words: z.string().trim().max(500).default(''),
})

/** Registers the console pages where operators decide claims. For support and administrators. */
export function claimDeskRoutes(app: FastifyInstance, parts: ClaimDesk): void {
  askForPasskey(app, 'claims', parts)

  app.get('/:partner/claims', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    if (!place) return reply.callNotFound()
    const body = claimsPage(place.partnerId, await store.openClaims(place.db), new Date())
    return sendConsolePage(request, reply, {
      title: `Claims of ${place.program.config.programName}`,
      body,
      trail: [programsLink],
    })
  })

  app.get('/:partner/claims/:id', (request: Request, reply) => show(parts, request, reply, null))

  app.get('/:partner/claims/:id/receipt', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    const receipt = place && (await store.findReceipt(place.db, request.params.id ?? ''))
    if (!receipt) return reply.callNotFound()
    // Uploaded files are untrusted: sent as a download, never rendered here.
    return reply
      .header('content-disposition', 'attachment; filename="receipt"')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type(receipt.type)
      .send(receipt.bytes)
  })

  app.post('/:partner/claims/:id', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    const claim = place && (await store.findClaim(place.db, request.params.id ?? ''))
    if (!place || !claim) return reply.callNotFound()
    const form = Decision.safeParse(Object.fromEntries(request.body as URLSearchParams))
    if (!form.success) return show(parts, request, reply.code(400), 'Please enter the reward as a whole number.')
    const { code, benefit, words } = form.data
    if (code === 'credited' && benefit === 0) {
      return show(parts, request, reply.code(400), 'A credit needs a reward of more than nothing.')
    }
    const given = code === 'credited' ? benefit : 0
    await store.decide(place.db, claim.publicId, { code, words, benefit: given, by: place.operator.email })
    return reply.redirect(`/${place.partnerId}/claims/${claim.publicId}`, 303)
  })
}

const programsLink = { label: 'Programs', href: '/' }

async function show(parts: ClaimDesk, request: Request, reply: FastifyReply, problem: string | null) {
  const place = placeOf(parts, request)
  const claim = place && (await store.findClaim(place.db, request.params.id ?? ''))
  if (!place || !claim) return reply.callNotFound()
  const { partnerId, program } = place
  const { config } = program
  const body = claimPage({
    partnerId,
    claim,
    near: await store.mealsNear(place.db, claim),
    suggested: suggestedFor(config, claim.amountCents),
    unit: config.currencyType === 'Mile' || config.currencyType === 'Point' ? config.currencyName : 'cents',
    explained: ({ key, params }: Explanation['findings'][number]) => parts.word(partnerId, key, params),
    csrf: place.csrf,
    problem,
  })
  const trail = [programsLink, { label: `Claims of ${config.programName}`, href: `/${partnerId}/claims` }]
  return sendConsolePage(request, reply, { title: claim.merchantName, body, trail })
}

/** Returns the reward of a bill at the program's ordinary rate, in the smallest unit: the operator's initial value. */
function suggestedFor({ earnRates, earnStepCents }: PublicConfig, cents: number): number {
  return Math.floor(((cents - (cents % earnStepCents)) * (earnRates.OptedIn ?? 0)) / 10_000)
}

const placeOf = (parts: ClaimDesk, request: Request): Place | null => placeAt(parts, request, mayEmulate)

/** Returns the link beside each program in the list, for operators with access. */
export const claimsLink = (operator: Operator, partnerId: string, programName: string) =>
  mayEmulate(operator) ? html` <a href="/${partnerId}/claims" aria-label="Claims of ${programName}">Claims</a>` : null
