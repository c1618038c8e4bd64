import type { FastifyInstance } from 'fastify'
import type { Gate } from '../bot-check/service.ts'
import { serve } from '../kit/server/serve.ts'
import * as calls from './contract.ts'
import * as recovery from './service.ts'

export interface RecoveryParts {
  desk: recovery.RecoveryDesk
  gate: Gate
}

export function recoveryRoutes(app: FastifyInstance, { desk, gate }: RecoveryParts): void {
  serve(app, calls.requestRecovery, async (ctx, { body }) => {
    await gate.admit(ctx, body.gRecaptchaResponse, () => recovery.requestRecovery(ctx, desk, body.userName))
    return { accepted: true as const }
  })
  serve(app, calls.confirmRecovery, async (ctx, { body }) => ({
    resetToken: await recovery.confirmRecovery(ctx, body.code),
  }))
  serve(app, calls.updateRecovery, async (ctx, { body }) => {
    await recovery.updateRecovery(ctx, desk, body)
    return { updated: true as const }
  })
  serve(app, calls.fixCredentials, async (ctx, { body }) => ({
    email: await recovery.fixCredentials(ctx, desk, body),
  }))
}
