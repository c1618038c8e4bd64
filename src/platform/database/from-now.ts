import { sql } from 'kysely'
import { SECOND } from '../time.ts'

/** A moment by the clock of the database, this many milliseconds from now; negative ones have passed. */
export const fromNow = (milliseconds: number) => sql<Date>`now() + make_interval(secs => ${milliseconds / SECOND})`
