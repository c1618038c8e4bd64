import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleFrame, consolePage } from '../kit/server/console-page.ts'
import type { Db, Pools } from '../kit/server/db.ts'
import type { Operator } from './context.ts'
import { mayWorkOn } from './may.ts'

export interface Desk<P> {
  /** Connections of the console's role. */
  pools: Pools
  programs: ReadonlyMap<string, P>
}

export interface DeskPlace<P> {
  operator: Operator
  /** What every form of the page carries. */
  csrf: string
  partnerId: string
  program: P
  db: Db
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

/** The program that an address is about, for an operator who `may`; null for anybody else, and for what is not there. */
export function placeAt<P>(
  { pools, programs }: Desk<P>,
  { params, consoleSession }: Pick<Request, 'params' | 'consoleSession'>,
  may: (operator: Operator) => boolean,
): DeskPlace<P> | null {
  const { partner = '' } = params
  const program = programs.get(partner)
  if (!consoleSession || !program) return null
  const { operator, csrfToken } = consoleSession
  if (!may(operator) || !mayWorkOn(operator, partner)) return null
  return { operator, csrf: csrfToken, partnerId: partner, program, db: pools.forPartner(partner) }
}

/** Sends a page of the console in the frame of whoever is signed in. */
export function sendConsolePage(
  { consoleSession }: Pick<Request, 'consoleSession'>,
  reply: FastifyReply,
  frame: Omit<ConsoleFrame, 'operator'>,
): FastifyReply {
  const operator = consoleSession && { name: consoleSession.operator.name, csrfToken: consoleSession.csrfToken }
  return reply.type('text/html; charset=utf-8').send(consolePage({ ...frame, operator }))
}

/** Lets nobody to the pages of a program that begin like this who has not shown a passkey, where one is required. */
export function askForPasskey(app: FastifyInstance, path: string, { passkeysRequired }: { passkeysRequired: boolean }) {
  if (!passkeysRequired) return
  app.addHook('preHandler', async (request, reply) => {
    const isHere = request.routeOptions.url?.startsWith(`/:partner/${path}`)
    if (isHere && request.consoleSession?.isProven === false) return reply.redirect('/security', 303)
  })
}
