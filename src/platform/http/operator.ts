import type { PermissionName } from '../call.ts'
import type { Db, Tx } from '../database/db.ts'
import type { Ctx } from './context.ts'

/** A signed-in console user. */
export interface Operator {
  id: number
  email: string
  name: string
  grants: readonly Grant[]
}

/** A role that an operator has, and where. */
export interface Grant {
  role: string
  /** Null: every program, also later ones, and the installation. */
  partnerId: string | null
  /** What the role permits. */
  permissions: readonly string[]
}

/** Returns whether an operator has a permission in a program; `null`: in all of them, and so in the installation. */
export function hasPermission({ grants }: Operator, permission: PermissionName, partnerId: string | null): boolean {
  return grants.some(
    (grant) => (grant.partnerId === null || grant.partnerId === partnerId) && grant.permissions.includes(permission),
  )
}

/** What an operator did, for the audit log. */
export interface Act {
  /** What it was done to: `{ type: 'claim', id: 'Vh3…', label: 'Oak & Ember, $40.00' }`. */
  object: { type: string; id: string; label?: string }
  /** The changed fields, before and after. Without card numbers and secrets. */
  before?: Readonly<Record<string, unknown>>
  after?: Readonly<Record<string, unknown>>
  /** What the operator gave as the reason, or the ticket. */
  reason?: string
  memberId?: number | null
}

interface OperatorAccess {
  operator: Operator
  /**
   * Adds the entry of this call to the audit log, in the transaction of its effect. Every call that changes something
   * does so; the console refuses to answer otherwise.
   */
  record: (tx: Tx, act: Act) => Promise<void>
}

/** The context of an operator's call about a program. `db` is bound to the program, with the console's role. */
export interface OperatorCtx extends Ctx, OperatorAccess {
  /** Returns whether the operator has a permission in this program. */
  may: (permission: PermissionName) => boolean
}

/** The context of an operator's call about the installation: `db` sees no rows that a program owns. */
export interface InstallationCtx extends OperatorAccess {
  db: Db
  requestId: string
  address: string
  now: () => Date
  /** Codes of the programs in which the operator has a permission. */
  programsWith: (permission: PermissionName) => readonly string[]
  /** Returns whether the operator has a permission in every program, also in later ones, and so in the installation. */
  mayEverywhere: (permission: PermissionName) => boolean
  /** Returns the context of one of the operator's programs. */
  inProgram: (partnerId: string) => OperatorCtx
}
