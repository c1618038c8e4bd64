import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { queryAsOwner } from '../support/owner.ts'

const released = 'db/migrations'
const forever = { timeout: 0 }

let directory: string
let databases: TestDatabase[]
let roles: string[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dineback-migrations-'))
  databases = []
  roles = []
})

afterEach(async () => {
  const server = databases[0]?.url as string
  for (const database of databases) await database.drop()
  for (const role of roles) await queryAsOwner(server.replace(/[^/]+$/, 'postgres'), `drop role ${role}`)
  rmSync(directory, { recursive: true, force: true })
}, 0)

/** Creates an empty database; that of a plain owner belongs to a role that is no superuser, as docs/operations.md says. */
async function createDatabase(owner: 'superuser' | 'plain'): Promise<{ url: string; adminUrl: string }> {
  const database = await createTestDatabase('empty')
  databases.push(database)
  if (owner === 'superuser') return { url: database.url, adminUrl: database.url }
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const role = `${name}_owner`
  await queryAsOwner(database.url, `create role ${role} login createrole password 'plain'`)
  roles.push(role)
  await queryAsOwner(database.url, `alter database ${name} owner to ${role}`)
  // The roles of the groups exist on this server, and belong to the superuser.
  await queryAsOwner(database.url, `grant dineback_backup to ${role}`)
  Object.assign(url, { username: role, password: 'plain' })
  return { url: url.href, adminUrl: database.url }
}

/** Copies the migrations of an earlier version. */
function copyBefore(number: string): void {
  for (const name of readdirSync(released).filter((file) => file < number))
    cpSync(join(released, name), join(directory, name))
}

const apply = (url: string, files: string) => migrate({ url, directory: files, log: () => {} })

/** A program, a restaurant, members with passkeys, and an award, as the schema of the first migrations stores them. */
const earlierRows = `
  insert into partners (id) values ('acme'), ('other');
  insert into merchants (source, source_id, public_id, network_location_id, name, city, state, latitude, longitude,
      time_zone, participating, left_on)
    select 'file', n, 'place-' || n, 'location-' || n, 'Place ' || n, 'Denver', 'CO', 39.7, -104.9, 'America/Denver',
      n <> 2, case n when 2 then date '2026-01-31' end
    from generate_series(1, 2) n;
  insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code)
    select p, 'public-id-of-member-' || p || n, 'referral-' || p || n, 'family-' || p || n, n || '@example.com', 'A', 'B',
      '80202'
    from generate_series(1, 3) n, unnest(array['acme', 'other']) p;
  -- The second member has recovered, the third has recovered and then changed the address.
  insert into audit_entries (partner_id, actor, member_id, action, at, previous_hash, hash)
    select m.partner_id, 'member', m.id, a.action, a.at::timestamptz, '', ''
    from members m, (values ('2@example.com', 'recovery.password-set', '2026-02-01'),
      ('3@example.com', 'recovery.password-set', '2026-02-01'), ('3@example.com', 'member.address-fixed', '2026-02-02')
    ) as a (email, action, at) where m.email = a.email;
  insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name, created_at)
    select partner_id, id, id || at, '', 0, at, at::timestamptz
    from members, unnest(array['2026-01-15', '2026-02-15']) at;
  insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name,
      network_location_id, card_last_four, stage, award_status, unit, reason, occurred_at)
    select m.partner_id, 'transaction-' || m.id, 'network-' || m.id, m.id, 1, 'Place 1', 'location-1', '4242', 'cleared',
      'Awarded', 'mile', '{}', '2026-01-20' from members m;
  with entries as (
    insert into journal_entries (partner_id, source, source_id, version, kind, reason)
    select partner_id, 'transaction', network_id, 1, 'award', '{}' from transactions returning partner_id, id, source_id)
  insert into postings (partner_id, journal_entry_id, account, member_id, merchant_id, unit, amount)
    select e.partner_id, e.id, p.account, case p.account when 'member' then t.member_id end,
      case p.account when 'restaurant' then 1 end, p.unit, p.amount
    from entries e join transactions t on t.network_id = e.source_id,
      (values ('member', 'mile', 10), ('program', 'mile', -10), ('restaurant', 'cent', -90), ('partner', 'cent', 90))
        as p (account, unit, amount);
  insert into statement_credits (partner_id, public_id, member_id, journal_entry_id, amount_cents, target_type,
      target_label, processor, status)
    select j.partner_id, 'credit-' || j.id, t.member_id, j.id, 2100, 'card', 'Visa', 'own', 'pending'
    from journal_entries j join transactions t on t.network_id = j.source_id;
  insert into payout_orders (partner_id, credit_id, amount_cents)
    select partner_id, public_id, amount_cents from statement_credits;
  insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four)
    select partner_id, 'card-' || id, id, 'linked-' || id, 'f-' || id, 'VISA', 'Visa', '4242' from members;
  insert into partner_cards (public_id, partner_id, holder, partner_card_id, token, fingerprint, home_key, card_type, description,
      last_four, expires)
    values ('loaded-card', 'acme', 'holder', 'p1', 'loaded', 'f', 'h', 'VISA', 'Visa', '4242', '2030-01');
  insert into vault.cards (token, tenant, fingerprint, card_type, last_four, expires)
    select token, partner_id, fingerprint, 'VISA', '4242', '2030-01' from cards
    union all values ('loaded', 'acme', 'loaded', 'VISA', '4242', '2030-01'),
      ('ownerless', 'acme', 'ownerless', 'VISA', '4242', '2030-01');`

/** The rows of every table as text, without the moments of this run and the ids that are random. */
async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const tables = await queryAsOwner<{ name: string }>(
    url,
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and not relispartition and nspname in ('public', 'vault', 'console', 'forms') order by 1`,
  )
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await queryAsOwner<{ row: Record<string, unknown> }>(url, `select to_jsonb(t) as row from ${name} t`)
    const today = new Date().toISOString().slice(0, 10)
    const text = ({ row }: { row: Record<string, unknown> }) =>
      JSON.stringify(row)
        .replaceAll(new RegExp(`"${today}[^"]*"`, 'g'), '"now"')
        .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"random"')
    rows[name] = found.map(text).sort()
  }
  return rows
}

test(
  'migrations change the same rows of an older installation whether the owner of its tables is a superuser or not',
  forever,
  async () => {
    copyBefore('0018')
    const changed: Record<string, string[]>[] = []
    for (const owner of ['superuser', 'plain'] as const) {
      const { url, adminUrl } = await createDatabase(owner)
      await apply(url, directory)
      await queryAsOwner(adminUrl, earlierRows)
      await apply(url, released)
      changed.push(await rowsOf(adminUrl))
    }
    const [bySuperuser, byPlainOwner] = changed
    expect(byPlainOwner).toEqual(bySuperuser)
    // What was to be changed is there, so that the comparison means something.
    const count = (table: string, pattern: RegExp) => bySuperuser?.[table]?.filter((row) => pattern.test(row)).length
    expect(count('public.members', /"email_verified_at":"2026-02-01/)).toBe(2)
    expect(count('public.passkeys', /./)).toBe(8)
    expect(count('public.postings', /"merchant_id":null/)).toBe(0)
    expect(count('vault.cards', /ownerless/)).toBe(0)
    expect(count('vault.cards', /./)).toBe(7)
  },
)

test(
  'an address that was changed or given up since, and a newer proof of it, stay as they are when the rows that remained are repaired',
  forever,
  async () => {
    copyBefore('0018')
    const { url, adminUrl } = await createDatabase('plain')
    await apply(url, directory)
    await queryAsOwner(adminUrl, earlierRows)
    copyBefore('0042')
    await apply(url, directory)
    await queryAsOwner(
      adminUrl,
      "update members set email_identifies = false where email = '2@example.com' and partner_id = 'acme'",
    )
    await queryAsOwner(
      adminUrl,
      "update members set email_verified_at = '2026-03-01' where email = '2@example.com' and partner_id = 'other'",
    )
    await apply(url, released)
    const members = await queryAsOwner<{ partner: string; email: string; at: Date | null }>(
      adminUrl,
      'select partner_id as partner, email, email_verified_at as at from members order by partner_id, email',
    )
    expect(members.filter(({ at }) => at !== null)).toEqual([
      { partner: 'other', email: '2@example.com', at: new Date('2026-03-01') },
    ])
  },
)

test('a migration that changes rows of programs switches off what hides them from the owner of their table', () => {
  const texts = readdirSync(released)
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(released, name), 'utf8') }))
  const isolated = new Set(
    texts.flatMap(({ sql }) => [...sql.matchAll(/enable_tenant_isolation\('(\w+)'\)/g)].map(([, table]) => table)),
  )
  const wrong: string[] = []
  for (const { name, sql } of texts) {
    // Bodies of functions run later, with the program of their caller.
    const statements = sql.replaceAll(/\$\$.*?\$\$/gs, '').replaceAll(/--.*$/gm, '')
    for (const [, table = ''] of statements.matchAll(
      /\b(?:update|delete from)\s+(?:only\s+)?(\w+)\b(?=\s+(?:\w+\s+)?(?:set|where|using))/g,
    )) {
      if (!isolated.has(table)) continue
      if (!statements.includes(`alter table ${table} no force row level security`)) wrong.push(`${name}: ${table}`)
      else expect(statements, name).toContain(`alter table ${table} force row level security`)
    }
  }
  // Repaired by 0042 and 0043.
  expect(wrong).toEqual([
    '0018-restaurants-of-postings.sql: postings',
    '0025-verified-addresses.sql: members',
    '0025-verified-addresses.sql: passkeys',
    '0037-authentication-times.sql: sessions',
    '0037-authentication-times.sql: sessions',
    '0039-recipients-of-recoveries.sql: recoveries',
  ])
})
