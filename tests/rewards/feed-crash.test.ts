import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../src/platform/random.ts'
import { developmentSecrets } from '../../src/platform/security/development-secrets.ts'
import { signatureHeaders } from '../../src/platform/security/webhook-signature.ts'
import { DAY } from '../../src/platform/time.ts'
import type { FeedEvent } from '../../src/rewards/feed/contract.ts'
import { feedPaths } from '../../src/rewards/feed/contract.ts'
import { feedKey } from '../../src/rewards/feed/feed-key.ts'
import { simulateFeed } from '../../src/staging/simulate/simulate-feed.ts'
import { type FallibleApp, startFallibleApp } from '../support/fallible-app.ts'
import { send, type WireResponse } from '../support/http.ts'
import { scaled } from '../support/scale.ts'

// The same days of a program are sent twice: to an undisturbed app, and to one that is killed, with its database, at
// random moments. The network retries until it gets a response. At the end both ledgers are compared.

/** Each kill takes a restart. */
const kills = scaled({ full: 200, short: 2 })
const partnerId = 'beacon'
// Enough cards to kill the app until the end, and for the wanted number of entries on any days of the week.
const cards = Array.from({ length: scaled({ full: 300, short: 8 }) }, (_, index) => ({
  token: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  lastFour: String(1000 + index),
  scheme: 'visa',
}))
// Recent enough that nothing expires by time: the jobs for that would run at different moments.
const until = new Date()
const from = new Date(until.getTime() - 12 * DAY)

let calm: FallibleApp
let stormy: FallibleApp
beforeAll(async () => {
  const apps = await Promise.all([startFallibleApp(), startFallibleApp()])
  await Promise.all(apps.map(enroll))
  ;[calm, stormy] = apps
})
afterAll(() => Promise.all([calm?.close(), stormy?.close()]))

async function enroll(app: FallibleApp): Promise<void> {
  for (const [index, card] of cards.entries()) {
    await app.query(
      `with member as (
         insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code, tier_level, member_type)
         values ($1, $2, $2, $2, $2 || '@example.com', 'Ada', 'Lovelace', '10001', 'OptedIn', 'EnrolledCardMember') returning id)
       insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, linked_at)
       select $1, $2, id, $3, $2, 'VISA', 'Visa', $4, $5 from member`,
      [
        partnerId,
        `diner-0000000000000000${String(index).padStart(4, '0')}`,
        card.token,
        card.lastFour,
        new Date(from.getTime() - DAY),
      ],
    )
  }
}

async function generateEvents(app: FallibleApp): Promise<FeedEvent[]> {
  const merchants = await app.query<{ locationId: string; name: string; timeZone: string; priceRange: number }>(
    `select network_location_id as "locationId", name, time_zone as "timeZone", price_range as "priceRange"
     from merchants where participating order by public_id limit 20`,
  )
  const plan = { seed: 7, partnerId, cards, merchants, from, until, transactionsPerMonth: 30 }
  return simulateFeed(plan).map(({ event }) => event)
}

function post(app: FallibleApp, event: FeedEvent): Promise<WireResponse> {
  const body = JSON.stringify(event)
  const host = `${partnerId}.localhost:${app.port}`
  const key = feedKey(developmentSecrets(app.dataDir).FEED_SECRET, partnerId)
  const headers = signatureHeaders(key, { body, url: `http://${host}${feedPaths.event}` }, Date.now())
  return send({ port: app.port, host: `${partnerId}.localhost`, method: 'POST', path: feedPaths.event, headers, body })
}

/** Sends events like a network: retries until the message is acknowledged. */
async function deliver(app: FallibleApp, events: readonly FeedEvent[]): Promise<void> {
  for (const event of events) {
    while ((await post(app, event).catch(() => null))?.status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Returns every ledger entry in order, without the values that the two apps generated randomly. */
async function ledger(app: FallibleApp): Promise<string[]> {
  const rows = await app.query<{ entry: unknown }>(`
    select json_build_array(j.source, case when j.source = 'transaction' then j.source_id end, j.version, j.kind,
      j.reason - 'covered' - 'returned', json_agg(json_build_array(p.account, c.token, m.public_id, p.unit, p.amount)
        order by p.account, p.unit, p.amount)) as entry
    from journal_entries j join postings p on p.journal_entry_id = j.id
    left join cards c on c.member_id = p.member_id left join merchants m on m.id = p.merchant_id
    group by j.partner_id, j.id order by j.id`)
  return rows.map(({ entry }) => JSON.stringify(entry))
}

async function settled(app: FallibleApp): Promise<void> {
  const open = `select count(*)::int as count from statement_credits where status in ('pending', 'pending_received')`
  while ((await app.query<{ count: number }>(open))[0]?.count) await new Promise((resolve) => setTimeout(resolve, 200))
}

/** Returns the final state of the transactions. */
const listTransactions = (app: FallibleApp) =>
  app.query(`select network_id, stage, award_status = 'Forfeit' as forfeit, ticket_cents, cleared_cents, refunded_cents,
    benefit, reason ->> 'code' as code from transactions order by network_id`)

// Each kill takes a restart, so the test waits without a limit.
const forever = { timeout: 0 }

test(
  'Case 6 kill -9 of app and PostgreSQL leaves the same ledger as an undisturbed run, entry by entry',
  forever,
  async () => {
    const events = await generateEvents(calm)
    await deliver(calm, events)
    let running = true
    const delivered = deliver(stormy, events).finally(() => {
      running = false
    })
    const random = new Random(11)
    let killed = 0
    while (running && killed < kills) {
      await new Promise((resolve) => setTimeout(resolve, random.int(50, 700)))
      await (random.chance(0.5) ? stormy.kill() : stormy.killPostgres())
      killed++
    }
    await delivered
    expect(killed).toBe(kills)
    await Promise.all([calm, stormy].map(settled))
    const [expected, found] = await Promise.all([calm, stormy].map(ledger))
    expect(expected?.length).toBeGreaterThan(scaled({ full: 100, short: 40 }))
    expect(found).toEqual(expected)
    expect(await listTransactions(stormy)).toEqual(await listTransactions(calm))
    const paid = `select count(*)::int as count, sum(amount_cents)::int as cents from payout_orders where paid_at is not null`
    expect(await stormy.query(paid)).toEqual(await calm.query(paid))
  },
)

test('Case 6 counterpart: a network that renumbers its messages for every try is counted twice', async () => {
  const [event] = await generateEvents(stormy)
  const before = (await listTransactions(stormy)).length
  const again = (id: string) => ({ ...event, transaction: { ...event?.transaction, id } }) as FeedEvent
  await deliver(stormy, [again(randomUUID()), again(randomUUID())])
  expect((await listTransactions(stormy)).length).toBe(before + 2)
})
