import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../platform/database/keyset.ts'
import { contains } from '../../platform/database/text-match.ts'
import { deadLetters } from '../../platform/jobs/queues.ts'

export interface JobRow {
  id: string
  queue: string
  task: string | null
  row: string | null
  state: 'failed' | 'waiting' | 'retrying' | 'running'
  at: Date
  queuedAt: Date
  startedAt: Date | null
  attempts: number
  maxAttempts: number | null
  dueAt: Date | null
  error: string | null
}

const latestFirst: Order = {
  by: sql`j.created_on`,
  type: 'timestamptz',
  id: sql`j.id`,
  idType: 'uuid',
  direction: 'desc',
}

// The queue has no row-level security: each query has this condition, which is that of an index.
const isOfProgram = sql`j.data ->> 'partnerId' = current_partner() and j.state < 'completed'`
const isDead = sql`j.name = ${deadLetters}`
const state = sql`case when ${isDead} then 'failed' when j.state = 'active' then 'running'
  when j.state = 'retry' then 'retrying' else 'waiting' end`
const queue = sql`case when ${isDead} then coalesce(j.source_name, j.name) else j.name end`
const error = sql`case when ${isDead} then coalesce(j.source_output ->> 'message', '')
  when j.retry_count > 0 or j.state = 'retry' then coalesce(j.output ->> 'message', '') end`

const columns = sql`j.id, ${queue} as queue, j.data ->> 'task' as task, j.data ->> 'id' as row, ${state} as state,
  j.created_on as at, coalesce(j.source_created_on, j.created_on) as "queuedAt", j.started_on as "startedAt",
  case when ${isDead} then coalesce(j.source_retry_count, 0) + 1
    when j.state = 'created' then j.retry_count else j.retry_count + 1 end as attempts,
  case when not ${isDead} then j.retry_limit + 1 end as "maxAttempts",
  case when not ${isDead} and j.state <> 'active' then j.start_after end as "dueAt", ${error} as error`

export interface JobFilter {
  state: 'all' | JobRow['state']
  queue?: string | undefined
  q?: string | undefined
}

function matches({ state: wanted, queue: name, q = '' }: JobFilter): RawBuilder<unknown> {
  const conditions = [isOfProgram]
  if (wanted !== 'all') conditions.push(sql`${state} = ${wanted}`)
  if (name) conditions.push(sql`${queue} = ${name}`)
  if (q.trim() !== '') conditions.push(contains(sql`${error}`, q))
  return sql.join(conditions, sql` and `)
}

/** Returns one page of jobs, the latest first, and how many there are. */
export const listJobs = (db: Db, { cursor, limit, ...filter }: JobFilter & PageRequest) =>
  listPage<JobRow>(
    db,
    { columns, from: sql`jobs.job j`, where: matches(filter), order: latestFirst },
    { cursor, limit },
  )

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select ${columns} from jobs.job j where j.id = ${id} and ${isOfProgram}`.execute(db)
  return rows[0]
}

export interface QueueRow {
  queue: string
  waiting: number
  retrying: number
  running: number
  failed: number
  oldestDueAt: Date | null
}

/** Returns the queues with jobs of the program. */
export async function countQueues(db: Db): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select ${queue} as queue,
      count(*) filter (where not ${isDead} and j.state = 'created') as waiting,
      count(*) filter (where j.state = 'retry') as retrying,
      count(*) filter (where j.state = 'active') as running,
      count(*) filter (where ${isDead}) as failed,
      min(j.start_after) filter (
        where not ${isDead} and j.state < 'active' and j.start_after <= now()) as "oldestDueAt"
    from jobs.job j where ${isOfProgram} group by 1 order by 1`.execute(db)
  return rows
}

export interface About {
  kind: 'email' | 'member' | 'payout' | 'reservation' | 'claim' | 'feedFile'
  id: string
}

/** What the jobs of a queue are about, by the id of their row. */
const aboutQueries: Readonly<Record<string, (row: string) => RawBuilder<About>>> = {
  emails: (row) => sql`select 'email' as kind, e.id::text as id from emails e where e.id = ${row}::bigint`,
  notifications: (row) =>
    sql`select 'member' as kind, m.public_id as id from notifications n join members m on m.id = n.member_id
      where n.id = ${row}::bigint and m.deleted_at is null`,
  'statement-credits': (row) =>
    sql`select 'payout' as kind, s.public_id as id from statement_credits s where s.id = ${row}::bigint`,
  reservations: (row) =>
    sql`select 'reservation' as kind, r.public_id as id from reservations r where r.id = ${row}::bigint`,
  'claim-decisions': (row) => sql`select 'claim' as kind, c.public_id as id from claims c where c.id = ${row}::bigint`,
  'feed-uploads': (row) =>
    sql`select 'feedFile' as kind, u.file_id::text as id from feed_uploads u where u.id = ${row}::bigint`,
}

/** Returns what a job is about; null where the console shows nothing of it. */
export async function findAbout(db: Db, { queue: name, row }: Pick<JobRow, 'queue' | 'row'>): Promise<About | null> {
  const query = Object.hasOwn(aboutQueries, name) ? aboutQueries[name] : undefined
  if (!query || row === null || !/^\d{1,18}$/.test(row)) return null
  const { rows } = await query(row).execute(db)
  return rows[0] ?? null
}
