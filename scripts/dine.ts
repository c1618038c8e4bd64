import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../src/platform/config/settings.ts'
import type { Db } from '../src/platform/database/db.ts'
import { decimalFromCents, parseDollars } from '../src/platform/money.ts'
import { SECOND } from '../src/platform/time.ts'
import { feedPaths } from '../src/rewards/feed/contract.ts'
import { type SampleEvent, sampleEvent } from '../src/rewards/feed/sample-event.ts'
import { createUsageExit, readOptions, readProgram } from './command-line.ts'
import { connect } from './connect.ts'
import { callFeed } from './feed-client.ts'

const usage = `Sends the events of a transaction as the card network does. The app must be running.

  npm run dine -- --partner skyharbor --member pat@example.com [--card 0002] [--merchant slug] [--amount 42.10]
                  [--event auth|clearing|refund] [--id <network id>]

Without --event: an authorization, and three seconds later its clearing.`

class DineError extends Error {}

const events = ['auth', 'clearing', 'refund'] as const

const options = {
  partner: { type: 'string' },
  member: { type: 'string' },
  card: { type: 'string' },
  merchant: { type: 'string' },
  amount: { type: 'string', default: '42.10' },
  event: { type: 'string' },
  id: { type: 'string' },
} as const

const stop: (problem: string) => never = createUsageExit(usage)

function parseOptions() {
  const values = readOptions(options, stop)
  const { member, event } = values
  const partner = readProgram(values.partner, stop)
  if (!member) stop('Which member? Name the email address with --member.')
  const cents = parseDollars(values.amount)
  if (cents === null) throw new DineError(`Not an amount: ${values.amount}`)
  const known = events.find((name) => name === event)
  if (event !== undefined && !known) throw new DineError(`--event is one of ${events.join(', ')}.`)
  if (known === 'refund' && !values.id)
    throw new DineError('--event refund needs --id, the network id of the transaction.')
  return { ...values, amount: decimalFromCents(cents), partner, member, event: known }
}

type Options = ReturnType<typeof parseOptions>

async function findCard(db: Db, { member, card }: Options) {
  const row = await db
    .selectFrom('cards')
    .innerJoin('members', 'members.id', 'cards.member_id')
    .select(['cards.token', 'cards.last_four as lastFour', 'cards.card_type as scheme'])
    .where('members.email', 'ilike', member.replace(/[%_\\]/g, '\\$&'))
    .where('cards.removed_at', 'is', null)
    .$if(card !== undefined, (query) => query.where('cards.last_four', '=', card as string))
    .orderBy('cards.linked_at', 'desc')
    .executeTakeFirst()
  if (!row) throw new DineError(`${member} has no linked card${card ? ` ending in ${card}` : ''}.`)
  return row
}

async function findMerchant(db: Db, { merchant }: Options) {
  const row = await db
    .selectFrom('merchants')
    .select(['name as merchantName', 'network_location_id as id'])
    .$if(merchant !== undefined, (query) => query.where('public_id', '=', merchant as string))
    .$if(merchant === undefined, (query) => query.where('participating', '=', true).orderBy('merchants.id'))
    .executeTakeFirst()
  if (!row) throw new DineError(merchant ? `There is no restaurant ${merchant}.` : 'There is no restaurant yet.')
  return row
}

async function send(settings: Settings, partner: string, input: SampleEvent): Promise<string> {
  const event = sampleEvent(input)
  const response = await callFeed(settings, partner, { path: feedPaths.event, body: JSON.stringify(event) })
  process.stdout.write(
    `  ${event.event.padEnd(22)} ${`${event.transaction.amount} USD`.padStart(12)}  ${response.status} ${response.text}\n`,
  )
  if (response.status !== 200) throw new DineError('The app did not accept the event.')
  return event.transaction.id
}

async function dine(): Promise<void> {
  const parsed = parseOptions()
  const { settings, pools, close } = await connect()
  try {
    const db = pools.forPartner(parsed.partner)
    const [card, location] = await Promise.all([findCard(db, parsed), findMerchant(db, parsed)])
    const input = { partnerId: parsed.partner, amount: parsed.amount, card, location, dinedAt: new Date() }
    process.stdout.write(`\n  ${parsed.member} dines at ${location.merchantName}, card ending in ${card.lastFour}\n`)
    const first = { ...input, event: parsed.event ?? 'auth', transactionId: parsed.id, now: new Date() }
    const id = await send(settings, parsed.partner, first)
    if (parsed.event === undefined) {
      await sleep(3 * SECOND)
      await send(settings, parsed.partner, { ...input, event: 'clearing', transactionId: id, now: new Date() })
    }
    process.stdout.write(`  network id ${parsed.id ?? id}\n\n`)
  } finally {
    await close()
  }
}

try {
  await dine()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
