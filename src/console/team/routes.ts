import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as roles from './roles.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about operators and roles. */
export function teamRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listTeam, schemas.listTeam, (ctx) => service.listTeam(ctx))
  registerRoute(app, calls.getTeamOperator, schemas.getTeamOperator, (ctx, { params }) =>
    service.getTeamOperator(ctx, params.id),
  )
  registerRoute(app, calls.inviteOperator, schemas.inviteOperator, (ctx, { body }) => service.inviteOperator(ctx, body))
  registerRoute(app, calls.setOperatorGrants, schemas.setOperatorGrants, (ctx, { params, body }) =>
    service.setOperatorGrants(ctx, params.id, body),
  )
  registerRoute(app, calls.setOperatorDisabled, schemas.setOperatorDisabled, (ctx, { params, body }) =>
    service.setOperatorDisabled(ctx, params.id, body),
  )
  registerRoute(app, calls.endOperatorSessions, schemas.endOperatorSessions, (ctx, { params, body }) =>
    service.endOperatorSessions(ctx, params.id, body),
  )
  registerRoute(app, calls.renewEnrollCode, schemas.renewEnrollCode, (ctx, { params, body }) =>
    service.renewEnrollCode(ctx, params.id, body),
  )
  registerRoute(app, calls.renewPassword, schemas.renewPassword, (ctx, { params, body }) =>
    service.renewPassword(ctx, params.id, body),
  )
  registerRoute(app, calls.listRoles, schemas.listRoles, (ctx) => roles.listRoles(ctx))
  registerRoute(app, calls.saveRole, schemas.saveRole, (ctx, { params, body }) =>
    roles.saveRole(ctx, params.name, body),
  )
  registerRoute(app, calls.deleteRole, schemas.deleteRole, (ctx, { params }) => roles.deleteRole(ctx, params.name))
}
