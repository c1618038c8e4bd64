import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount, type ErasureDeps, tablesWithMembers } from '../../src/account/privacy/service.ts'
import { modules } from '../../src/app/modules.ts'
import { sendEmail } from '../../src/identity/email/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner, joinForm, visit, withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, newMember } from '../support/members.ts'
import { addCard, createTestContext } from '../support/rewards-harness.ts'

const memberTables = modules.flatMap((module) => module.memberTables ?? [])
const app = setUpTestApp()
beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
})

let numbers = 0

/** Creates a member with unique values in every field. */
async function canaryMember() {
  numbers++
  const mark = `${process.pid}${numbers}`
  const canaries = {
    email: `canary-${mark}@example.com`,
    firstName: `Canaryfirst${mark}`.slice(0, 20),
    lastName: `Canarylast${mark}`.slice(0, 20),
    address1: `${mark} Canary Street`,
    address2: `Canary Floor ${mark}`,
    city: `Canarytown${numbers}`,
    partnerNumber: `SKY${String(20_000_000 + numbers)}`,
    phoneNumber: `212-555-${String(1000 + numbers)}`,
    utmCampaign: `canary-campaign-${mark}`,
  }
  const visitor = visit(app, 'skyharbor')
  await visitor.change('POST', '/api/Members/Prospects/Email', { email: canaries.email })
  const response = await visitor.change('POST', '/api/Members/Prospects', joinForm({ ...canaries, state: 'NY' }))
  if (response.status !== 200) throw new Error(response.text)
  // This program does not require an address at joining.
  await asOwner(app, 'update members set address1 = $1, address2 = $2, city = $3 where public_id = $4', [
    canaries.address1,
    canaries.address2,
    canaries.city,
    response.json().publicId,
  ])
  return {
    visitor,
    canaries: { ...canaries, phoneNumber: canaries.phoneNumber.replace(/\D/g, '') },
    publicId: response.json().publicId as string,
  }
}

/** Returns every text of every table of every schema, as the owner sees it. */
async function everything(): Promise<string> {
  const tables = await asOwner<{ name: string }>(
    app,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'vault', 'forms', 'console')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await asOwner<{ row: string }>(app, `select t::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

describe('the data held about a member', () => {
  test('the exported data shows the status of each transaction as the statement does', async () => {
    const member = await createCardMember(app)
    const id = await member.sendTransaction('clearing', '50.00')
    await member.sendTransaction('refund', '50.00', id)
    await member.sendTransaction('auth', '30.00')
    await member.sendTransaction('clearing', '20.00')
    const { visitor } = member
    const { data } = (await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })).json()
    const statuses = data.transactions.map(({ status }: { status: string }) => status)
    expect(statuses.toSorted()).toEqual(['Open', 'Posted', 'Refunded'])
  })

  test('the exported rows are listed from the oldest to the newest, in the same order in every export', async () => {
    const member = await createCardMember(app)
    for (const amount of ['10.00', '20.00', '30.00']) await member.sendTransaction('clearing', amount)
    // The first row becomes the newest one, and the order of the table is not that of the times.
    await asOwner(
      app,
      'update transactions set occurred_at = now() - make_interval(hours => cleared_cents::int / 1000) where member_id = $1',
      [member.memberId],
    )
    const read = async () =>
      (await member.visitor.get('/api/Member/Export', { 'x-xsrf-token': await member.visitor.token() })).json().data
    const { transactions, consents } = await read()
    expect(transactions.map(({ cleared_cents }: { cleared_cents: number }) => cleared_cents)).toEqual([
      3000, 2000, 1000,
    ])
    const given = consents.map(({ given_at }: { given_at: string }) => given_at)
    expect(given.length).toBeGreaterThan(1)
    expect(given).toEqual(given.toSorted())
    expect((await read()).transactions).toEqual(transactions)
  })

  test('every table with rows of members is covered by exports and deletions', async () => {
    const known = memberTables.map(({ table }) => table)
    const there = await tablesWithMembers(app.database.pools.shared)
    expect(there.filter((table) => !known.includes(table))).toEqual([])
    expect(known.filter((table) => table !== 'members' && !there.includes(table))).toEqual([])
  })

  test('no export contains a column with a hash, a token or a key', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and column_name ~ '(hash$|token|secret$|fingerprint|_key$|^auth$|p256dh)'`.execute(
      app.database.pools.shared,
    )
    const exported = rows.filter(({ table, column }) =>
      memberTables.some((held) => held.table === table && !held.secret?.includes(column)),
    )
    expect(exported).toEqual([])
  })

  test('a member downloads all own data and no secrets', async () => {
    const { visitor, canaries, publicId } = await canaryMember()
    const { canaries: others } = await canaryMember()
    await linkCard(app, { visitor, publicId })
    const response = await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })
    expect(response.status).toBe(200)
    expect(response.headers['content-disposition']).toBe('attachment; filename="skyharbor-my-data.json"')
    for (const canary of Object.values(canaries)) expect(response.text).toContain(canary)
    for (const canary of Object.values(others)) expect(response.text).not.toContain(canary)
    const { data } = response.json()
    expect(data.consents.length).toBeGreaterThanOrEqual(3)
    expect(data.cards).toHaveLength(1)
    // Every table but those that only repeat others.
    const exported = memberTables.filter(({ isCopy }) => !isCopy)
    expect(Object.keys(data).toSorted()).toEqual(exported.map(({ table }) => table).toSorted())
    expect(data).not.toHaveProperty('member_terms')
    for (const { secret = [], table } of exported) {
      for (const row of data[table])
        for (const column of secret) expect([table, column, row[column]]).toEqual([table, column, undefined])
    }
    // Fails without the token, and with an old re-authentication.
    const bare = await visitor.get('/api/Member/Export')
    expect([bare.status, bare.json().code]).toEqual([403, 'csrf'])
    await asOwner(app, "update sessions set authenticated_at = now() - interval '11 minutes'")
    const old = await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })
    expect([old.status, old.json().code]).toEqual([403, 'reauthRequired'])
    const rejected = await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
    expect([rejected.status, rejected.json().code]).toEqual([403, 'reauthRequired'])
    await visitor.change('POST', '/api/Member/Prove', { password: 'sourdough 4 breakfast' })
    expect((await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })).status).toBe(200)
  })

  test('Case 62 after an export and a deletion no table identifies the member: 0 canaries', async () => {
    const { visitor, canaries, publicId } = await canaryMember()
    const { number } = await linkCard(app, { visitor, publicId })
    await visitor.send('POST', '/api/Impressions', [
      {
        eventName: 'PageView',
        channel: 'web',
        dateTime: new Date().toISOString(),
        userAgent: 'canary agent',
        url: '/',
        memberId: publicId,
      },
    ])
    await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })
    const before = await everything()
    for (const [name, canary] of Object.entries(canaries)) expect([name, before.includes(canary)]).toEqual([name, true])
    const remove = (confirmation: string) => visitor.change('POST', '/api/Member/Delete', { confirmation })
    expect((await remove('yes')).json()).toEqual([{ field: 'confirmation', message: 'Please type DELETE.' }])
    expect((await visitor.get('/api/Member')).status).toBe(200)
    expect((await remove('delete')).json()).toEqual({ deleted: true })
    expect([...visitor.cookies.keys()].filter((name) => ['sid', 'session_expiry'].includes(name))).toEqual([])
    expect((await visitor.get('/api/Member')).status).toBe(401)
    // The farewell email has the address until it is sent, or an hour has passed.
    const { redactExpiredSecrets: redactSecrets } = await import('../../src/identity/email/service.ts')
    // The mail server's own words can name the recipient.
    await asOwner(
      app,
      "update emails set secret_until = now() - interval '1 second', last_error = '550 <' || recipient || '> unknown' where secret_until is not null",
    )
    await redactSecrets(app.database.pools.forPartner('skyharbor'))
    const after = await everything()
    for (const [name, canary] of Object.entries(canaries)) expect([name, after.includes(canary)]).toEqual([name, false])
    for (const gone of [publicId, number]) expect(after).not.toContain(gone)
    expect(app.logs.join('')).not.toContain(canaries.email)
    const again = await visit(app, 'skyharbor').change('POST', '/api/SignIn', {
      userName: canaries.email,
      password: 'sourdough 4 breakfast',
    })
    expect(again.status).toBe(401)
    const [closed] = await asOwner(
      app,
      `select active, member_type, tier_level, email_opt_in, sms_opt_in, has_web_profile, enrollment_source, marketing,
         concat(first_name, last_name, address1, address2, city, state, zip_code, phone_number, partner_number) as texts
       from members
       where deleted_at is not null order by deleted_at desc limit 1`,
    )
    expect(closed).toEqual({
      active: false,
      member_type: 'ClosedAccountMember',
      tier_level: 'OptedOut',
      email_opt_in: false,
      sms_opt_in: false,
      has_web_profile: false,
      enrollment_source: null,
      marketing: {},
      texts: '',
    })
    // Required records remain, without identifying the member: consents and the audit log.
    const [row] = await asOwner<{ consents: number; entries: number }>(
      app,
      `select (select count(*) from consents c where c.member_id = m.id)::int as consents,
              (select count(*) from audit_entries a where a.member_id = m.id)::int as entries
       from members m where deleted_at is not null order by deleted_at desc limit 1`,
    )
    expect(row?.consents).toBeGreaterThanOrEqual(3)
    expect(row?.entries).toBeGreaterThanOrEqual(3)
  })

  test('a deletion leaves the rows of every other member', async () => {
    const [leaving, staying] = [await canaryMember(), await canaryMember()]
    for (const { visitor, publicId } of [leaving, staying]) {
      await linkCard(app, { visitor, publicId })
      const event = {
        eventName: 'PageView',
        channel: 'web',
        dateTime: new Date().toISOString(),
        userAgent: 'x',
        url: '/',
      }
      await visitor.send('POST', '/api/Impressions', [{ ...event, memberId: publicId }])
    }
    await app.impressions.flush()
    const countRows = async () => {
      const counts: Record<string, number> = {}
      for (const table of await tablesWithMembers(app.database.pools.shared)) {
        const [row] = await asOwner<{ count: number }>(
          app,
          `select count(*)::int as count from ${table} t join members m on m.id = t.member_id where m.public_id = $1`,
          [staying.publicId],
        )
        counts[table] = row?.count ?? 0
      }
      return counts
    }
    const before = await countRows()
    expect(before).toMatchObject({ cards: 1, impressions: 1, sessions: 1 })
    const removed = await leaving.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
    expect(removed.json()).toEqual({ deleted: true })
    expect(await countRows()).toEqual(before)
  })

  test('a card that is linked meanwhile is deleted at the vault too, and a fifth one in vain leaves the account', async () => {
    for (const [linkedMeanwhile, outcome] of [
      [4, 'deleted'],
      [5, 'vaultUnavailable'],
    ] as const) {
      const { visitor, publicId } = await canaryMember()
      const db = app.database.pools.forPartner('skyharbor')
      const [member] = await asOwner<{ id: string }>(app, 'select id from members where public_id = $1', [publicId])
      const memberId = Number(member?.id)
      const deleted: string[][] = []
      const deleteCards = async ({ tokens }: { tokens: readonly string[] }) => {
        deleted.push([...tokens])
        if (deleted.length <= linkedMeanwhile) await addCard(db, memberId, { token: `${publicId}-${deleted.length}` })
      }
      const sessionId = tokenHash(visitor.cookies.get('sid') ?? '')
      const ctx = {
        ...createTestContext(app.database, 'skyharbor'),
        program: app.programs.get('skyharbor'),
        actor: { memberId, sessionId, csrfToken: null, operator: null },
      } as unknown as MemberCtx
      const deps = {
        vault: { deleteCards },
        reservations: {},
        returningKey: Buffer.alloc(32),
      } as unknown as ErasureDeps
      const deletion = deleteAccount(ctx, deps, 'PRIVACY.DELETE_WORD').then(
        () => 'deleted',
        ({ code }) => code,
      )
      expect(await deletion).toBe(outcome)
      expect(deleted).toEqual([[], ...[1, 2, 3, 4].map((round) => [`${publicId}-${round}`])])
      const [row] = await asOwner<{ gone: boolean }>(
        app,
        'select deleted_at is not null as gone from members where id = $1',
        [memberId],
      )
      expect(row?.gone).toBe(outcome === 'deleted')
    }
  })

  test('a card that was entered and not linked is deleted at the vault, and the card of another program stays', async () => {
    const owner = await newMember(app, 'gallonaire')
    const { number } = await linkCard(app, owner)
    const { visitor, publicId } = await canaryMember()
    const { response } = await linkCard(app, { visitor, publicId }, number)
    expect(response.json().cardRegistration[0].error.code).toBe('LINKED_ELSEWHERE')
    const programsAtVault = async () => {
      const rows = await asOwner<{ tenant: string }>(
        app,
        'select tenant from vault.cards where last_four = $1 order by 1',
        [number.slice(-4)],
      )
      return rows.map(({ tenant }) => tenant)
    }
    expect(await programsAtVault()).toEqual(['gallonaire', 'skyharbor'])
    await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
    expect(await programsAtVault()).toEqual(['gallonaire'])
  })

  test('the same address can join again afterwards and link the same card', async () => {
    const { visitor, publicId, canaries } = await canaryMember()
    const { number } = await linkCard(app, { visitor, publicId })
    await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
    const second = visit(app, 'skyharbor')
    const form = joinForm({
      email: canaries.email,
      partnerNumber: canaries.partnerNumber,
      address1: '1 Main Street',
      city: 'New York',
      state: 'NY',
    })
    const again = await second.change('POST', '/api/Members/Prospects', form)
    expect(again.status).toBe(200)
    const returned = { visitor: second, publicId: again.json().publicId }
    expect((await linkCard(app, returned, number)).response.json().cardRegistration[0].error).toBeUndefined()
  })
})

describe('consents', () => {
  test('each consent is stored with its text, version, time and source, and the tier follows', async () => {
    const { visitor, publicId } = await canaryMember()
    const choose = (granted: boolean, channel = 'email') =>
      visitor.change('PUT', '/api/Member/Consents', { channel, topic: 'offers', granted })
    expect((await visitor.get('/api/Member')).json()).toMatchObject({ tierLevel: 'OptedIn', emailOptIn: true })
    const preferences = (await choose(false)).json()
    expect(preferences.choices).toContainEqual(expect.objectContaining({ channel: 'email', granted: false }))
    expect((await visitor.get('/api/Member')).json()).toMatchObject({ tierLevel: 'OptedOut', emailOptIn: false })
    expect(preferences.history[0]).toMatchObject({
      channel: 'email',
      topic: 'offers',
      granted: false,
      source: 'consents',
    })
    expect(preferences.history[0].wording).toBe(
      'Email me offers from Skyharbor Miles Dining and news about what I earn. I can opt out at any time.',
    )
    expect(preferences.history[0].version).toMatch(/^[0-9a-f]{12}$/)
    expect((await choose(true)).json().history).toHaveLength(preferences.history.length + 1)
    expect((await visitor.get('/api/Member')).json().tierLevel).toBe('OptedIn')
    const entries = await asOwner(
      app,
      `select a.actor = 'member:' || m.id as own, a.detail from audit_entries a join members m on m.id = a.member_id
       where m.public_id = $1 and a.action = 'consent.chosen' order by a.id`,
      [publicId],
    )
    const detail = { channel: 'email', topic: 'offers' }
    expect(entries).toEqual([
      { own: true, detail: { ...detail, granted: false } },
      { own: true, detail: { ...detail, granted: true } },
    ])
  })

  test.each(['VIP', 'NonActivated'])('a consent changes no tier that it does not decide: %s stays', async (tier) => {
    const { visitor, publicId } = await canaryMember()
    await asOwner(app, 'update members set tier_level = $1 where public_id = $2', [tier, publicId])
    for (const granted of [false, true]) {
      const body = { channel: 'email', topic: 'offers', granted }
      expect((await visitor.change('PUT', '/api/Member/Consents', body)).status).toBe(200)
      expect((await visitor.get('/api/Member')).json()).toMatchObject({ tierLevel: tier, emailOptIn: granted })
    }
  })

  test('VAL-021 consent to texts requires a phone number and a program that sends texts', async () => {
    const gallonaire = visit(app, 'gallonaire')
    await gallonaire.change('POST', '/api/Members/Prospects', joinForm())
    const body = { channel: 'sms', topic: 'offers', granted: true }
    const rejected = await gallonaire.change('PUT', '/api/Member/Consents', body)
    expect([rejected.status, rejected.json().code]).toEqual([409, 'phoneNeeded'])
    expect((await gallonaire.change('PUT', '/api/Member/Consents', { ...body, granted: false })).status).toBe(200)
    const beacon = visit(app, 'beacon')
    await beacon.token()
    await asOwner(
      app,
      `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code)
       values ('beacon', 'bank-customer-00000001', 'bank00000001', 'family', 'bo@beacon.example', 'Bo', 'Banks', '10001')`,
    )
    await asOwner(
      app,
      `update sessions set member_id = (select id from members where email = 'bo@beacon.example') where id_hash = $1`,
      [tokenHash(beacon.cookies.get('sid') ?? '')],
    )
    expect((await beacon.change('PUT', '/api/Member/Consents', body)).status).toBe(404)
    const { choices } = (await beacon.get('/api/Member/Consents')).json()
    expect(choices.map(({ channel }: { channel: string }) => channel)).toEqual(['email'])
  })

  test('an offer email requires a consent, and is not sent if the consent was revoked before delivery', async () => {
    const db = app.database.pools.forPartner('skyharbor')
    const sent: string[] = []
    const transport = async ({ recipient }: { recipient: string }) => void sent.push(recipient)
    const { visitor, canaries } = await canaryMember()
    // Joining also sends a code, which needs no consent.
    await asOwner(app, "delete from emails where recipient = $1 and topic = 'verification.code'", [canaries.email])
    const statusOf = async () => asOwner(app, 'select status from emails where recipient = $1', [canaries.email])
    // Without a mail server, the app has stored it; it waits again here.
    await expect.poll(statusOf).toEqual([{ status: 'stored' }])
    await asOwner(app, "update emails set status = 'waiting' where recipient = $1", [canaries.email])
    const [email] = await asOwner<{ id: string }>(app, 'select id::text from emails where recipient = $1', [
      canaries.email,
    ])
    await visitor.change('PUT', '/api/Member/Consents', { channel: 'email', topic: 'offers', granted: false })
    const job = { id: email?.id ?? '', isLastAttempt: false }
    await sendEmail({ db, partnerId: 'skyharbor', from: 'x <x@example.com>', transport }, job)
    expect(await statusOf()).toEqual([{ status: 'withheld' }])
    expect(sent).not.toContain(canaries.email)
    // Without a mail server it would be stored as if it had been sent.
    await asOwner(app, "update emails set status = 'waiting' where recipient = $1", [canaries.email])
    await sendEmail({ db, partnerId: 'skyharbor', from: 'x <x@example.com>', transport: null }, job)
    expect(await statusOf()).toEqual([{ status: 'withheld' }])
    const silent = visit(app, 'skyharbor')
    numbers++
    const form = joinForm({
      emailOptIn: false,
      partnerNumber: `SKY${20_000_000 + numbers}`,
      address1: '1 Main Street',
      city: 'New York',
      state: 'NY',
    })
    await silent.change('POST', '/api/Members/Prospects', form)
    // A message that an account was opened, and a code, are no offers.
    expect(await asOwner(app, 'select topic from emails where recipient = $1', [form.email])).toEqual([
      { topic: 'account.opened' },
      { topic: 'verification.code' },
    ])
    await expect(
      asOwner(
        app,
        `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html)
         select 'skyharbor', id, 'offers.sneaked', 'x', email, 'x', 'x', 'x' from members limit 1`,
      ),
    ).rejects.toThrow(/offers_need_consent/)
  })
})
