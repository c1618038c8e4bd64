import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

/** A number of pending or failed work of a program. */
export interface OperationMetric {
  figure: string
  /** Empty for a number of the whole installation. */
  partner: string
  state: string
  value: number
}

/** Reads the pending and failed work of every program. Throws when the database is unavailable. */
export async function loadOperationMetrics(db: Db): Promise<OperationMetric[]> {
  const { rows } = await sql<OperationMetric>`
    select figure, partner_id as partner, state, value from operation_figures()
    union all select figure, partner_id, state, value from payout_figures()
    union all select figure, partner_id, state, value from audit_figures()
    union all select figure, partner_id, state, value from job_figures()`.execute(db)
  return rows
}
