import type { Operator } from '../../platform/http/operator.ts'

export interface ConsoleSession {
  operator: Operator
  idHash: Buffer
  /** Included in every form. */
  csrfToken: string
  /** Whether the operator has verified a passkey in this session. */
  passkeyVerified: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on the sign-in pages. */
    consoleSession: ConsoleSession | null
  }
}
