import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../database/db.ts'

/**
 * The acting person. A visitor has neither member nor session; a pre-session (for the CSRF token) has only a session.
 */
export interface Actor {
  memberId: number | null
  sessionId: Buffer | null
  /** The token that mutations must send in X-XSRF-TOKEN; null without a session. */
  csrfToken: string | null
  /** The impersonating operator, if any. */
  operator: ActingOperator | null
}

export interface ActingOperator {
  id: number
  name: string
  /** Without it, the operator has read-only access. */
  mayChange: boolean
}

export const anonymousActor: Actor = { memberId: null, sessionId: null, csrfToken: null, operator: null }

/**
 * First argument of every server function. `db` is bound to the partner by the connection itself, so that a forgotten
 * condition returns no rows rather than another partner's rows.
 * Features may extend it by declaration merging (partners adds `program`).
 */
export interface Ctx {
  partnerId: string
  db: Db
  actor: Actor
  requestId: string
  /** The caller's network address, for rate limits and the audit log. Empty for jobs and commands. */
  address: string
  /** The User-Agent header; empty when missing. */
  userAgent: string
  log: FastifyBaseLogger
  /** Returns the partner's message of a key; `|` separates a number that replaces NUM. */
  t: (key: string) => string
  /** The current time of the program: real, or shifted by the staging tools outside production. */
  now: () => Date
}

/** The context of a call that only members may make. */
export interface MemberCtx extends Ctx {
  actor: Actor & { memberId: number }
}
