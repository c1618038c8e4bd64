import type { FastifyBaseLogger } from 'fastify'
import type { Db } from './db.ts'

/** Who acts. A visitor has neither; a pre-session (for the CSRF token) has only a session. */
export interface Actor {
  memberId: number | null
  sessionId: Buffer | null
  /** What a mutating call must bring in X-XSRF-TOKEN; null before there is a session. */
  csrfToken: string | null
  /** Who really acts, while an operator sees the app as the member does. */
  operator: ActingOperator | null
}

export interface ActingOperator {
  id: number
  name: string
  /** Without it, only looking is allowed. */
  mayChange: boolean
}

export const nobody: Actor = { memberId: null, sessionId: null, csrfToken: null, operator: null }

/**
 * What every server function receives first. `db` is bound to the partner by the connection itself,
 * so that a forgotten condition finds nothing rather than a neighbour's row.
 * Rooms that own an idea may add to it by declaration merging (partners adds `program`).
 */
export interface Ctx {
  partnerId: string
  db: Db
  actor: Actor
  requestId: string
  /** The caller's network address, for rate limits and the audit log. */
  address: string
  /** What the caller's browser says of itself; empty where there is none. */
  userAgent: string
  log: FastifyBaseLogger
  /** Words a copy key in this partner's copy; `|` separates a number that fills NUM. */
  word: (key: string) => string
  /** The time by the program's clock: real, or shifted by the staging tools outside production. */
  now: () => Date
}
