import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { getOutsideSystems } from './contract.ts'
import * as schemas from './schemas.ts'
import { readOutsideSystems, type SetUp } from './service.ts'

export interface HealthConsoleDeps {
  /** The outside systems that this installation has. */
  setUp: SetUp
}

/** Registers the console's call about the health of outside systems. */
export function healthConsoleRoutes(app: FastifyInstance, { setUp }: HealthConsoleDeps): void {
  registerRoute(app, getOutsideSystems, schemas.getOutsideSystems, (ctx) => readOutsideSystems(ctx, setUp))
}
