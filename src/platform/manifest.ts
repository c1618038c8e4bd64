import type { FastifyInstance } from 'fastify'
import type { CallGroup } from './call-examples.ts'
import type { Job, PeriodicWork } from './jobs/jobs.ts'

/** A table with rows of members: which columns an export omits, and what deletion and merging of accounts do. */
export interface MemberTable {
  table: string
  /** Columns that no export contains, because they grant access. */
  secret?: readonly string[]
  /** Columns that grant access for as long as another column has a value. */
  secretWhile?: { column: string; hides: readonly string[] }
  /** It repeats what other tables have, for searching. No export contains it. */
  isCopy?: true
  /** What account deletion does to these rows. */
  deletion: 'deleted' | 'redacted' | 'retained'
  /**
   * What becomes of these rows when an account is merged into another one of the person: they move to it, stay with the
   * merged account, or end. What the kept account has already does not move.
   */
  merging: 'moved' | 'stays' | 'ended'
}

/**
 * What a module adds to the app; `src/app/modules.ts` lists the manifests of all modules. `Needs` are the services that
 * its handlers receive, under the names that they have in the whole app. Modules may extend it by declaration merging
 * (partners adds `pagePosts`).
 */
export interface Module<Needs = unknown> {
  /** Its folder in `src`. */
  name: string
  /** The default text of its message keys. */
  messages?: Readonly<Record<string, string>>
  /** An example of each of its calls, for the API description. */
  examples?: CallGroup
  /** Registers its calls and other routes at the hosts of the programs. */
  routes?: (app: FastifyInstance, needs: Needs) => unknown
  /** The jobs that its rows cause, by the names of their queues. */
  jobs?: Readonly<Record<string, Job<Needs>>>
  /** Its periodic work, by name. */
  tasks?: Readonly<Record<string, PeriodicWork<Needs>>>
  /** Its tables with rows of members. */
  memberTables?: readonly MemberTable[]
}
