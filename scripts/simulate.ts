import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSampleMembers, sampleEmail, samplePassword } from '../src/identity/enrollment/service.ts'
import type { Settings } from '../src/platform/config/settings.ts'
import type { Db } from '../src/platform/database/db.ts'
import { DAY, SECOND } from '../src/platform/time.ts'
import { feedPaths } from '../src/rewards/feed/contract.ts'
import { type SentEvent, type SimulatedMerchant, simulateFeed } from '../src/staging/simulate/simulate-feed.ts'
import { drawProgress, withProgramContext } from './command-context.ts'
import { createUsageExit, readOptions, readProgram } from './command-line.ts'
import { connect } from './connect.ts'
import { callFeed } from './feed-client.ts'

const usage = `Simulates the transactions of a program's members, sent to the webhook. The app must be running.

  npm run simulate -- --partner skyharbor [--members 100] [--days 90] [--meals 4] [--seed 1] [--rate 0] [--out FILE]

--meals is the number of transactions per member and month, --rate the events per second (0: as fast as possible).
With --out the events are written as NDJSON and not sent. The same seed gives the same transactions.`

const stop: (problem: string) => never = createUsageExit(usage)
const options = {
  partner: { type: 'string' },
  members: { type: 'string', default: '100' },
  days: { type: 'string', default: '90' },
  meals: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  rate: { type: 'string', default: '0' },
  out: { type: 'string' },
} as const

const values = readOptions(options, stop)
const partner = readProgram(values.partner, stop)

function numberOf(name: 'members' | 'days' | 'meals' | 'seed' | 'rate', max: number): number {
  const value = Number(values[name])
  return Number.isFinite(value) && value >= 0 && value <= max
    ? value
    : stop(`Not a number for --${name}: ${values[name]}`)
}

const parameters = {
  members: numberOf('members', 100_000),
  days: numberOf('days', 730),
  meals: numberOf('meals', 30),
  seed: numberOf('seed', 2 ** 31),
  rate: numberOf('rate', 100_000),
}

async function listMerchants(db: Db): Promise<SimulatedMerchant[]> {
  return db
    .selectFrom('merchants')
    .select(['network_location_id as locationId', 'name', 'time_zone as timeZone', 'price_range as priceRange'])
    .where('participating', '=', true)
    .orderBy('id')
    .limit(400)
    .execute()
}

type Outcomes = Record<string, number>

/** Sends events in batches, at the requested rate at most. Returns the count per outcome. */
async function send(settings: Settings, program: string, events: readonly SentEvent[]): Promise<Outcomes> {
  const outcomes: Outcomes = {}
  const size = parameters.rate > 0 ? Math.max(1, Math.min(500, Math.round(parameters.rate / 4))) : 500
  const began = performance.now()
  for (let sent = 0; sent < events.length; sent += size) {
    const batch = events.slice(sent, sent + size)
    const body = batch.map(({ event }) => JSON.stringify(event)).join('\n')
    const response = await callFeed(settings, program, { path: feedPaths.batch, body, type: 'application/x-ndjson' })
    if (response.status !== 207) throw new Error(`The app returned ${response.status}: ${response.text}`)
    for (const { outcome, code } of JSON.parse(response.text).results) {
      const name = outcome ?? code
      outcomes[name] = (outcomes[name] ?? 0) + 1
    }
    drawProgress((sent + batch.length) / events.length, `${sent + batch.length} of ${events.length} events`)
    const ahead =
      parameters.rate > 0 ? ((sent + batch.length) / parameters.rate) * SECOND - (performance.now() - began) : 0
    if (ahead > 0) await sleep(ahead)
  }
  return outcomes
}

const { settings, pools, close } = await connect()
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    const until = new Date()
    const from = new Date(until.getTime() - parameters.days * DAY)
    const onProgress = (done: number) => drawProgress(done / parameters.members, `${done} members`)
    const cards = await addSampleMembers(ctx, { count: parameters.members, since: from, onProgress })
    const merchants = await listMerchants(ctx.db)
    if (merchants.length === 0) throw new Error('There is no restaurant yet.')
    const { seed, meals: transactionsPerMonth } = parameters
    const events = simulateFeed({ seed, partnerId: partner, cards, merchants, from, until, transactionsPerMonth })
    process.stdout.write(`\n  ${cards.length} members, ${events.length} events of ${parameters.days} days\n`)
    if (values.out !== undefined) {
      writeFileSync(values.out, events.map(({ event }) => `${JSON.stringify(event)}\n`).join(''))
      process.stdout.write(`  ${values.out}\n`)
      return
    }
    const began = performance.now()
    const outcomes = await send(settings, partner, events)
    const seconds = (performance.now() - began) / SECOND
    const summary = Object.entries(outcomes).map(([name, count]) => `${count} ${name}`)
    process.stdout.write(`\n  ${summary.join(', ')}; ${Math.round(events.length / seconds)} events a second\n`)
    if (ctx.program.config.enrollmentType === 'direct') {
      process.stdout.write(`  Sign in as ${sampleEmail(1)} with "${samplePassword}"\n`)
    }
  })
} catch (error) {
  process.stderr.write(`\n  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
