import { vi } from 'vitest'
import { queryAsOwner } from './owner.ts'

/**
 * Makes a database and this process have a fixed time, before the app connects to the database. `moveTo` changes it.
 * Call `release` after the tests.
 */
export async function fixClock(ownerUrl: string, at: string) {
  const run = (statement: string) => queryAsOwner<{ statement: string }>(ownerUrl, statement)
  const moveTo = async (moment: string) => {
    for (const name of ['now', 'clock_timestamp'])
      await run(
        `create or replace function clock.${name}() returns timestamptz language sql stable as
           $$ select timestamptz '${new Date(moment).toISOString()}' $$`,
      )
    vi.setSystemTime(moment)
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  await run('create schema clock; grant usage on schema clock to public')
  await moveTo(at)
  // An unqualified now() finds the first of these schemas.
  const path = 'search_path = clock, pg_catalog, public'
  await run(`alter database ${new URL(ownerUrl).pathname.slice(1)} set ${path}`)
  const functionsWithPath = await run(
    `select format('alter function %s set ${path}, pg_temp', p.oid::regprocedure) as statement
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proconfig::text ~ 'search_path'`,
  )
  const defaults = await run(
    `select format('alter table %s alter column %I set default %s', d.adrelid::regclass, a.attname,
       replace(pg_get_expr(d.adbin, d.adrelid), 'now()', 'clock.now()')) as statement
     from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     join pg_class c on c.oid = d.adrelid
     where pg_get_expr(d.adbin, d.adrelid) ~ '\\mnow\\(\\)' and not c.relispartition`,
  )
  for (const { statement } of [...functionsWithPath, ...defaults]) await run(statement)
  // The queue takes jobs that were due before now.
  await run(
    `create or replace function jobs.job_now() returns timestamptz language sql stable as
       $$ select clock.now() + interval '1 second' $$`,
  )
  return { moveTo, release: () => void vi.useRealTimers() }
}
