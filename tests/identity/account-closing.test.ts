import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { queueEmail } from '../../src/identity/email/service.ts'
import { lockMember } from '../../src/identity/members/service.ts'
import { notifyAll } from '../../src/identity/notifications/service.ts'
import { processRequestById } from '../../src/identity/recovery/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { signatureHeaders } from '../../src/platform/security/webhook-signature.ts'
import { reviewKey } from '../../src/rewards/reviews/review-key.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { type Act, type ActResponse, memberActs, prepared, pushHost } from '../support/member-acts.ts'
import { cardForm, linkCard, newMember, seal, type TestMember } from '../support/members.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { createTestContext } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { cardNumber } from '../support/sealed-card.ts'
import { whileLocked } from '../support/while-locked.ts'

/** Rounds of each race; 50 were run before the release. */
const rounds = scaled({ full: 50, short: 2 })
const password = 'sourdough 4 breakfast'
const partner = 'skyharbor'

const app = setUpTestApp({ PUSH_HOSTS: pushHost })
let merchant: { publicId: string }
beforeAll(async () => {
  await withoutBotCheck(partner, app)
  merchant = await addMerchantWithTables(app.database.pools.shared, { seats: Array.from({ length: 40 }, () => 2) })
})

const db = () => app.database.pools.forPartner(partner)
interface Closing extends TestMember {
  memberId: number
}

async function getMemberId({ publicId }: TestMember, of = partner): Promise<number> {
  const [row] = await asOwner<{ id: string }>(app, 'select id from members where partner_id = $1 and public_id = $2', [
    of,
    publicId,
  ])
  return Number(row?.id)
}

async function closing(over: Record<string, unknown> = {}): Promise<Closing> {
  const holder = await newMember(app, partner, over)
  return { ...holder, memberId: await getMemberId(holder) }
}

/** Operations by or for a member while the account is deleted. */
const kinds: Record<string, (member: Closing) => Promise<Act>> = {
  ...memberActs(app, () => merchant),
  'signing in elsewhere': async (member) => {
    const { email } = (await member.visitor.get('/api/Member')).json()
    const visitor = visit(app, partner)
    return prepared({ ...member, visitor }, 'POST', '/api/SignIn', { userName: email, password })
  },
  'a mail': async (member) => {
    const { memberId } = member
    const { email } = (await member.visitor.get('/api/Member')).json()
    // A job that read the member before the deletion writes this.
    const content = { subject: 's', preview: 'p', title: 't', paragraphs: [], facts: [], smallPrint: [] }
    const program = app.programs.get(partner)
    return async () => {
      const about = randomBytes(8).toString('hex')
      await inTransaction(db(), (tx) =>
        queueEmail(tx, { program } as never, { memberId, recipient: email, topic: 'card.movedAway', about, content }),
      )
      return { status: 401, text: '' }
    }
  },
  'a code for a new password': async ({ visitor }) => {
    const { email } = (await visitor.get('/api/Member')).json()
    const ctx = { ...createTestContext(app.database, partner), program: app.programs.get(partner) } as never
    const deps = { origin: app.origin, lockKey: randomBytes(32) }
    return async () => {
      const [row] = await asOwner<{ id: string }>(
        app,
        'insert into recovery_requests (partner_id, user_name) values ($1, $2) returning id',
        [partner, email],
      )
      // Or the app's own job does it.
      await processRequestById(ctx, deps, Number(row?.id))
      return { status: 401, text: '' }
    }
  },
  'a notification':
    async ({ memberId }) =>
    async () => {
      const params = { merchant: 'Corner Bistro', benefit: '5 miles' }
      const about = randomBytes(8).toString('hex')
      await inTransaction(db(), (tx) =>
        notifyAll(tx, [{ memberId, topic: 'rewardPosted', about, params, path: '/account/recent_activity' }]),
      )
      return { status: 401, text: '' }
    },
}

async function leftovers(memberId: number): Promise<Record<string, number>> {
  const [row] = await asOwner<Record<string, string>>(
    app,
    `select
      (select count(*) from cards where member_id = $1 and removed_at is null) as cards,
      (select count(*) from card_homes h join cards c on c.id = h.card_id where c.member_id = $1) as homes,
      (select count(*) from claims where member_id = $1 and (note <> '' or receipt is not null)) as notes,
      (select count(*) from claims where member_id = $1 and settled_at is null) as claims,
      (select count(*) from reservations where member_id = $1 and status in ('booking', 'booked', 'canceling')) as tables,
      (select count(*) from table_bookings s join reservations r
        on s.token = r.token or s.token = r.previous ->> 'token' where r.member_id = $1) as seatings,
      (select count(*) from push_subscriptions where member_id = $1) as devices,
      (select count(*) from sessions where member_id = $1) as sessions,
      (select count(*) from known_devices where member_id = $1) as known,
      (select count(*) from notifications where member_id = $1) as notifications,
      (select count(*) from notification_preferences where member_id = $1) as choices,
      (select count(*) from credentials where member_id = $1) as passwords,
      (select count(*) from recoveries where member_id = $1) as codes,
      (select count(*) from emails where member_id = $1 and topic <> 'privacy.deleted') as mails,
      (select count(*) from members where id = $1
        and (deleted_at is null or first_name <> '' or address1 <> '' or email not like '%@deleted.invalid')) as names`,
    [memberId],
  )
  return Object.fromEntries(
    Object.entries(row ?? {}).flatMap(([name, count]) => (Number(count) > 0 ? [[name, Number(count)]] : [])),
  )
}

/**
 * A reservation in progress at that moment is undone by the request itself, or by the job that completes unfinished
 * ones.
 */
async function expectNothingLeft(memberId: number): Promise<void> {
  await asOwner(
    app,
    "update reservations set updated_at = now() - interval '2 minutes' where member_id = $1 and status = 'canceling'",
    [memberId],
  )
  await vi.waitFor(async () => expect(await leftovers(memberId)).toEqual({}), { timeout: 20_000, interval: 100 })
}

/** Holds the member's row until both wait for it: the deletion first, the operation second. */
async function deletedFirst(member: Closing, act: Act): Promise<ActResponse> {
  const remove = await prepared(member, 'POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  const [deleted, response] = await whileLocked(db(), {
    hold: (tx) => lockMember(tx, member.memberId),
    acts: [remove, act],
  })
  expect(deleted.status).toBe(200)
  return response
}

describe.each(Object.keys(kinds))('Case 71 %s', (kind) => {
  const start = kinds[kind] as (member: Closing) => Promise<Act>
  const joining = { source: 'EMAIL-NMB' }

  test('is rejected when it waits for the deletion of the account, and leaves nothing', async () => {
    const member = await closing(joining)
    const response = await deletedFirst(member, await start(member))
    expect([response.status, kind]).toEqual([401, kind])
    await expectNothingLeft(member.memberId)
  })

  test('leaves nothing when it runs concurrently with a deletion, at any moment', async () => {
    for (let round = 0; round < rounds; round++) {
      const member = await closing(joining)
      const act = await start(member)
      const remove = await prepared(member, 'POST', '/api/Member/Delete', { confirmation: 'DELETE' })
      const later = (work: Act) => new Promise((done) => setTimeout(done, Math.random() * 15)).then(work)
      const [deleted, response] = await Promise.all([later(remove), later(act)])
      expect([deleted.status, response.status < 500 || response.status === 502]).toEqual([200, true])
      await expectNothingLeft(member.memberId)
    }
  })
})

describe('a deleted account', () => {
  test('Case 71 is deleted once when two browsers delete it at the same time', async () => {
    const member = await closing()
    const body = { confirmation: 'DELETE' }
    const remove = () => prepared(member, 'POST', '/api/Member/Delete', body)
    const removals = [await remove(), await remove()]
    await whileLocked(db(), { hold: (tx) => lockMember(tx, member.memberId), acts: removals })
    const entries = await asOwner(app, "select from audit_entries where member_id = $1 and action = 'member.deleted'", [
      member.memberId,
    ])
    expect(entries).toHaveLength(1)
  })

  test('Case 71 releases the card of its owner, which can be linked in a new account, also after a race', async () => {
    for (let round = 0; round < rounds; round++) {
      const number = cardNumber()
      const member = await closing()
      const body = cardForm(number, await seal(app, member, number))
      const act = await prepared(member, 'POST', '/api/Member/Cards', body)
      if (round % 2 === 0) await deletedFirst(member, act)
      else {
        await act()
        await member.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
      }
      const { response } = await linkCard(app, await closing(), number)
      expect(response.json().cardRegistration[0].error).toBeUndefined()
    }
  })

  test('Case 71 leaves no card at the vault when a link request waited for the deletion', async () => {
    const stored = async () =>
      Number((await asOwner<{ n: string }>(app, 'select count(*) as n from vault.cards'))[0]?.n)
    const before = await stored()
    const member = await closing()
    expect((await linkCard(app, member)).response.status).toBe(200)
    const start = kinds['linking a card'] as (member: Closing) => Promise<Act>
    expect((await deletedFirst(member, await start(member))).status).toBe(401)
    expect(await stored()).toBe(before)
  })

  test('Case 71 accepts no review that waited for its deletion', async () => {
    const member = await createCardMember(app)
    await member.sendTransaction('clearing', '60.00')
    const [transaction] = await member.listTransactions()
    const { familyId } = (await member.visitor.get('/api/Member')).json()
    const text = JSON.stringify({
      completed: true,
      familyId,
      rating: 5,
      comment: 'Lovely.',
      txnId: transaction.sourceTransactionId,
    })
    const path = '/api/reviews/callback'
    const headers = signatureHeaders(
      reviewKey(app.settings),
      { body: text, url: `http://${member.visitor.host}${path}` },
      Date.now(),
    )
    const response = await deletedFirst(member, () => visit(app, partner).send('POST', path, text, headers))
    expect(response.status).toBe(404)
    expect(await sql`select from reviews where member_id = ${member.memberId}`.execute(db())).toMatchObject({
      rows: [],
    })
  })
})
