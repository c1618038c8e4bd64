import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { frameName } from '../../identity/impersonation/rules.ts'
import * as emulation from '../../identity/impersonation/service.ts'
import { html } from '../../platform/html.ts'
import type { Operator } from '../../platform/http/operator.ts'
import { askForPasskey, type Desk, type DeskPlace, placeAt, sendConsolePage } from '../operators/service.ts'
import { findPage, frameScript, lookPage, memberPage } from './pages.ts'

interface SupportedProgram {
  config: { name: string; programName: string }
}

export interface SupportParts extends Desk<SupportedProgram> {
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** Whether operators need a passkey to access members: required unless the staging tools are on. */
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string> }>

const LookForm = z.object({
  reason: z.string().trim().min(3).max(200),
  change: z.literal('yes').optional(),
})

type Place = DeskPlace<SupportedProgram>

const mostFound = 25

/** Support routes: member search and impersonation. Not available to editors. */
export function supportRoutes(app: FastifyInstance, parts: SupportParts): void {
  app.get('/emulation.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(frameScript))

  askForPasskey(app, 'members', parts)

  app.get('/:partner/members', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    if (!place) return reply.callNotFound()
    const text = (request.query.q ?? '').trim().slice(0, 120)
    const found = text === '' ? null : await emulation.findMembers(place.db, text, mostFound + 1)
    const body = findPage({ partnerId: place.partnerId, text, found, most: mostFound })
    return sendConsolePage(request, reply, {
      title: `Members of ${place.program.config.programName}`,
      body,
      trail: [programsLink],
    })
  })

  app.get('/:partner/members/:publicId', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    return place ? showMember(request, reply, place, null) : reply.callNotFound()
  })

  app.post('/:partner/members/:publicId/look', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    if (!place) return reply.callNotFound()
    const form = LookForm.safeParse(Object.fromEntries(request.body as URLSearchParams))
    if (!form.success) return showMember(request, reply.code(400), place, 'Please say why, in 3 to 200 characters.')
    const member = await emulation.findMember(place.db, request.params.publicId ?? '')
    if (!member) return reply.callNotFound()
    const { operator, partnerId, csrf } = place
    const { token, emulationId } = await emulation.handOver(place.db, {
      memberId: member.id,
      operator,
      reason: form.data.reason,
      change: form.data.change === 'yes',
    })
    const origin = parts.origin(partnerId)
    reply.header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; script-src 'self'; frame-src ${origin}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    const frame = { name: frameName, origin, src: `${origin}/Emulate?token=${token}` }
    const body = lookPage({ partnerId, member, emulationId, csrf, frame })
    return sendConsolePage(request, reply, {
      title: `As ${member.firstName} ${member.lastName}`,
      body,
      trail: trailOf(place),
    })
  })

  app.post('/:partner/members/:publicId/end', async (request: Request, reply) => {
    const place = placeOf(parts, request)
    if (!place) return reply.callNotFound()
    const id = z.uuid().safeParse((request.body as URLSearchParams).get('emulationId'))
    if (id.success) await emulation.endByOperator(place.db, id.data, place.operator.id)
    return reply.redirect(`/${place.partnerId}/members/${request.params.publicId}`, 303)
  })
}

const programsLink = { label: 'Programs', href: '/' }
const trailOf = ({ partnerId, program }: Place) => [
  programsLink,
  { label: `Members of ${program.config.programName}`, href: `/${partnerId}/members` },
]

async function showMember(request: Request, reply: FastifyReply, place: Place, problem: string | null) {
  const member = await emulation.findMember(place.db, request.params.publicId ?? '')
  if (!member) return reply.callNotFound()
  const body = memberPage({
    partnerId: place.partnerId,
    member,
    looks: await emulation.emulationsOf(place.db, member.id),
    mayChange: emulation.mayActFor(place.operator),
    csrf: place.csrf,
    problem,
  })
  return sendConsolePage(request, reply, {
    title: `${member.firstName} ${member.lastName}`,
    body,
    trail: trailOf(place),
  })
}

/** Resolves the program in the URL; null when the operator has no access. */
const placeOf = (parts: SupportParts, request: Request): Place | null => placeAt(parts, request, emulation.mayEmulate)

/** Returns the link in the program list, for operators with access. */
export const membersLink = (operator: Operator, partnerId: string, programName: string) =>
  emulation.mayEmulate(operator)
    ? html` <a href="/${partnerId}/members" aria-label="Members of ${programName}">Members</a>`
    : null
