import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { frameName, idParameter } from '../../identity/impersonation/rules.ts'
import * as impersonation from '../../identity/impersonation/service.ts'
import { fullName } from '../../identity/members/rules.ts'
import { typedLine } from '../../platform/form-schema.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import {
  type AdminContext,
  type AdminDeps,
  type ConsoleUi,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import { frameScript } from './frame-script.ts'
import type * as supportPages from './pages.tsx'

interface SupportedProgram {
  config: { name: string; programName: string }
}

export interface SupportDeps extends AdminDeps<SupportedProgram> {
  pages: ConsoleUi & typeof supportPages
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** Whether operators need a passkey to access members: required unless the staging tools are on. */
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string> }>

const reasonProblem = 'Please say why, in 3 to 200 characters.'
const illegible = 'This has an invisible character. Please type it again.'
const ImpersonationForm = z.object({
  reason: typedLine(illegible, { multiline: true }).min(3, reasonProblem).max(200, reasonProblem),
  change: z.literal('yes').optional(),
})

type MemberContext = AdminContext<SupportedProgram>

/** Impersonation of members: the frame, and its end. The member's page begins it. Not available to editors. */
export function supportRoutes(app: FastifyInstance, deps: SupportDeps): void {
  app.get('/emulation.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(frameScript))

  requirePasskey(app, 'members', deps)

  const lookLimit = { config: { rateLimit: { max: 120, timeWindow: 60_000 } } }
  app.post('/:partner/members/:publicId/look', lookLimit, async (request: Request, reply) => {
    const context = resolveContext(deps, request)
    if (!context) return reply.callNotFound()
    const typed: Record<string, string> = Object.fromEntries(request.body as URLSearchParams)
    const form = ImpersonationForm.safeParse(typed)
    if (!form.success) {
      const issue = form.error.issues.find(({ path }) => path[0] === 'reason')
      const problem = issue?.message === illegible ? illegible : reasonProblem
      return askAgain(deps, request, reply.code(400), context, { problem, typed })
    }
    const member = await impersonation.findMember(context.db, request.params.publicId ?? '')
    if (!member) return reply.callNotFound()
    const { operator, partnerId } = context
    const { token, impersonationId } = await impersonation.prepareImpersonation(context.db, {
      memberId: member.id,
      partnerId,
      operator,
      reason: form.data.reason,
      change: form.data.change === 'yes',
    })
    // The frame is a page of its own, which Back and a reload show again without a second visit.
    const query = new URLSearchParams({ token })
    return reply.redirect(`/${partnerId}/members/${member.publicId}/look/${impersonationId}?${query}`, 303)
  })

  app.get('/:partner/members/:publicId/look/:impersonationId', async (request: Request, reply) => {
    const context = resolveContext(deps, request)
    const member = context && (await impersonation.findMember(context.db, request.params.publicId ?? ''))
    const id = z.uuid().safeParse(request.params.impersonationId)
    if (!member || !id.success) return reply.callNotFound()
    const { operator, partnerId, csrf } = context
    const own = { operatorId: operator.id, memberId: member.id }
    const visit = await impersonation.findOwnImpersonation(context.db, id.data, own)
    if (!visit) return reply.callNotFound()
    const page = { title: `As ${fullName(member)}`, breadcrumbs: trailOf(context) }
    reply.header('cache-control', 'no-store')
    if (visit.isOver)
      return sendConsolePage(deps, request, reply, {
        ...page,
        Page: deps.pages.ViewOverPage,
        props: { partnerId, member },
      })
    const { token } = request.query
    const origin = deps.origin(partnerId)
    reply.header(
      'content-security-policy',
      csp({
        'default-src': NONE,
        'style-src': SELF,
        'script-src': SELF,
        'frame-src': origin,
        'form-action': SELF,
        'base-uri': NONE,
        'frame-ancestors': NONE,
      }),
    )
    const query = new URLSearchParams({ ...(token !== undefined && { token }), [idParameter]: id.data })
    return sendConsolePage(deps, request, reply, {
      ...page,
      Page: deps.pages.ImpersonationPage,
      props: {
        partnerId,
        member,
        impersonationId: id.data,
        csrf,
        frame: { name: frameName, origin, src: `${origin}/Emulate?${query}` },
      },
    })
  })

  app.post('/:partner/members/:publicId/end', async (request: Request, reply) => {
    const context = resolveContext(deps, request)
    if (!context) return reply.callNotFound()
    const id = z.uuid().safeParse((request.body as URLSearchParams).get('emulationId'))
    if (id.success) await impersonation.endByOperator(context.db, id.data, context.operator.id)
    return reply.redirect(`/${context.partnerId}/members/${encodeURIComponent(request.params.publicId ?? '')}`, 303)
  })
}

const programsLink = { label: 'Programs', href: '/programs' }
const trailOf = ({ partnerId, program }: MemberContext) => [
  programsLink,
  { label: `Members of ${program.config.programName}`, href: `/${partnerId}/members` },
]

/** Shows the form of a rejected request again, with what was typed. */
async function askAgain(
  deps: SupportDeps,
  request: Request,
  reply: FastifyReply,
  context: MemberContext,
  { problem, typed }: Pick<supportPages.LookView, 'problem' | 'typed'>,
) {
  const member = await impersonation.findMember(context.db, request.params.publicId ?? '')
  if (!member) return reply.callNotFound()
  const name = fullName(member)
  return sendConsolePage(deps, request, reply, {
    title: `Error: ${name}`,
    heading: name,
    breadcrumbs: trailOf(context),
    Page: deps.pages.LookPage,
    props: {
      partnerId: context.partnerId,
      member,
      mayChange: impersonation.mayActFor(context.operator, context.partnerId),
      csrf: context.csrf,
      typed,
      problem,
    },
  })
}

/** Resolves the program in the URL; null when the operator has no access. */
const resolveContext = (deps: SupportDeps, request: Request): MemberContext | null =>
  resolveAdminContext(deps, request, impersonation.mayImpersonate)
