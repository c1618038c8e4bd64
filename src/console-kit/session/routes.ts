import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import type { Program } from '../../programs/partners/context.ts'
import { mayAccessProgram, permissionsOf } from '../permissions.ts'
import { tierNamesOf } from '../tier-names.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'

export interface SessionDeps {
  programs: ReadonlyMap<string, Program>
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
}

/** Registers the call about the signed-in operator. */
export function sessionRoutes(app: FastifyInstance, { programs, origin }: SessionDeps): void {
  registerRoute(app, calls.getSession, schemas.getSession, ({ operator, inProgram }, _input, { request }) => ({
    operator: { name: operator.name, email: operator.email },
    csrfToken: request.consoleSession?.csrfToken ?? '',
    programs: [...programs.values()]
      .filter(({ config }) => mayAccessProgram(operator, config.code))
      .map(({ config }) => ({
        code: config.code,
        name: config.programName,
        origin: origin(config.code),
        timeZone: config.timeZone,
        currency: config,
        tierNames: tierNamesOf(inProgram(config.code)),
        permissions: [...permissionsOf(operator, config.code)],
      })),
  }))
}
