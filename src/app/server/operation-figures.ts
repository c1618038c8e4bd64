import { sql } from 'kysely'
import type { Db } from '../../kit/server/db.ts'

/** One number about the work of a program that waits or failed. */
export interface OperationFigure {
  figure: string
  /** Empty for a number of the whole installation. */
  partner: string
  state: string
  value: number
}

/** Reads how much waits, and what failed, in every program. Throws when the database does not answer. */
export async function readOperationFigures(db: Db): Promise<OperationFigure[]> {
  const { rows } = await sql<OperationFigure>`
    select figure, partner_id as partner, state, value from operation_figures()`.execute(db)
  return rows
}
