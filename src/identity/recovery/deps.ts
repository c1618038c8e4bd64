import type { Tx } from '../../platform/database/db.ts'
import type { EndPendingAccess } from '../session/service.ts'

/** What the app ends across modules that come later than this one. */
export interface AccessDeps {
  endPending: EndPendingAccess
  /** Ends the links and codes of earlier emails, when the address changes: they are in another mailbox. */
  endEmailed: (tx: Tx, memberId: number) => Promise<void>
}

export interface RecoveryDeps extends AccessDeps {
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  /** Key under which failed passwords are counted. */
  lockKey: Buffer
}
