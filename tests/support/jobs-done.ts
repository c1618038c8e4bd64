import { setTimeout as sleep } from 'node:timers/promises'
import { queryAsOwner } from './owner.ts'

/**
 * Waits until no job is due, so that the effects of an act, such as its emails, are complete. It does not use
 * `vi.waitFor`, which would move a fixed clock.
 */
export async function jobsDone({ ownerUrl }: { ownerUrl: string }): Promise<void> {
  for (let tries = 0; ; tries++) {
    const [row] = await queryAsOwner<{ due: string | null }>(
      ownerUrl,
      `select string_agg(name || ' ' || state, ', ') as due from jobs.job
       where state in ('created', 'retry', 'active') and start_after < jobs.job_now() and name <> 'dead-letters'`,
    )
    if (!row?.due) return
    if (tries === 1_000) throw new Error(`jobs are due: ${row.due}`)
    await sleep(20)
  }
}
