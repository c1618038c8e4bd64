import type { Tx } from '../../platform/database/db.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'

/**
 * Returns the context in which a module does for a member what the member does alone. The acting person stays the
 * operator: audit entries name the operator, and there is no session of the member.
 */
export function actingAs(ctx: OperatorCtx, memberId: number, db: OperatorCtx['db'] | Tx = ctx.db): MemberCtx {
  // An email of the module must not name the operator's browser.
  return { ...ctx, db, userAgent: '', actor: { ...ctx.actor, memberId, sessionId: null } }
}
