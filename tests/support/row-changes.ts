import { queryAsOwner } from './owner.ts'

type Rows = ReadonlyMap<string, string>

// Counters, and what belongs to no person.
const shared = ['attempts', 'merchants_version']

/** The query for all rows, by database. */
const statements = new Map<string, Promise<string>>()

async function createStatement(ownerUrl: string): Promise<string> {
  const tables = await queryAsOwner<{ name: string; key: string }>(
    ownerUrl,
    `select c.oid::regclass::text as name, string_agg(format('t.%I', a.attname), ', ' order by a.attnum) as key
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
       and c.relnamespace::regnamespace::text in ('public', 'vault', 'forms', 'console')
     group by c.oid`,
    [shared],
  )
  return tables
    .map(
      ({ name, key }) =>
        `select '${name} ' || jsonb_build_array(${key})::text as key, to_jsonb(t)::text as row from ${name} t`,
    )
    .join(' union all ')
}

/** Returns every row of every table by its primary key, as the owner sees it. */
export async function readRows({ ownerUrl }: { ownerUrl: string }): Promise<Rows> {
  const statement = statements.get(ownerUrl) ?? createStatement(ownerUrl)
  statements.set(ownerUrl, statement)
  const rows = await queryAsOwner<{ key: string; row: string }>(ownerUrl, await statement)
  return new Map(rows.map(({ key, row }) => [key, row]))
}

/** Returns how many rows of each table have changed or are gone; new rows do not count. */
export function countChanges(before: Rows, after: Rows): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [key, row] of before) {
    if (after.get(key) === row) continue
    const [table = ''] = key.split(' ')
    counts[table] = (counts[table] ?? 0) + 1
  }
  return counts
}

/** Runs `act` and returns how many rows of each table it has changed or deleted. */
export async function changesOf(database: { ownerUrl: string }, act: () => Promise<unknown>) {
  const before = await readRows(database)
  await act()
  return countChanges(before, await readRows(database))
}
