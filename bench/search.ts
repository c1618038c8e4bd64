import { NOOP_PROVIDER } from '@openfeature/server-sdk'
import autocannon from 'autocannon'
import Fastify from 'fastify'
import pino from 'pino'
import { openDatabase } from '../src/app/database.ts'
import { createPartnerApp } from '../src/app/server/partner-app.ts'
import { developmentSecrets } from '../src/kit/server/development-secrets.ts'
import { createNotices } from '../src/kit/server/notices.ts'
import { readSettings } from '../src/kit/server/settings.ts'
import { createReadModel, type MerchantReadModel } from '../src/merchants/read-model.ts'
import { merchantRoutes } from '../src/merchants/routes.ts'
import { seedMerchants } from '../src/merchants/seed/seed-merchants.ts'
import { loadPrograms } from '../src/partners/load-programs.ts'
import { createFlagShelf } from '../src/partners/service.ts'
import { registerPartners } from '../src/partners/store.ts'
import { keepPostgres, temporaryDatabase } from '../tests/support/database.ts'

const host = 'skyharbor.localhost'
const query = '/api/v2/Merchants/Search?restaurantOrCuisine=sushi&location=10001&pageSize=20'
const seconds = 5
const sizes = [5_000, 25_000]

interface Measured {
  perSecond: number
  p50: number
  p99: number
}

// Latencies are counted in whole milliseconds.
const milliseconds = (value: number) => (value < 1 ? '<1 ms' : `${value} ms`)

async function measure(url: string): Promise<Measured> {
  const run = () => autocannon({ url, connections: 10, duration: seconds, headers: { host } })
  await autocannon({ url, connections: 10, duration: 1, headers: { host } })
  const { requests, latency, non2xx } = await run()
  if (non2xx > 0) throw new Error(`${non2xx} answers were no answers`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

const silence = { version: '', collections: {}, wording: { deck: {}, tokens: {} } }

/** The real partner door with nothing but the search behind it. */
async function searchServer(model: MerchantReadModel, database: Awaited<ReturnType<typeof openDatabase>>) {
  const programs = loadPrograms('programs')
  const app = await createPartnerApp({
    pools: database.pools,
    programs,
    content: { of: () => silence, drafts: () => silence, refresh: async () => {}, onChange() {}, close() {} },
    flags: await createFlagShelf(NOOP_PROVIDER, programs),
    mayPreview: () => false,
    partnerOf: () => 'skyharbor',
    cookies: { scheme: 'http' },
    trustedProxy: undefined,
    logger: pino({ level: 'silent' }),
    checksEveryReply: false,
    now: () => new Date(),
  })
  merchantRoutes(app, { model })
  return app
}

async function bareServer(bytes: string) {
  const app = Fastify({ logger: false })
  app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes))
  return app
}

async function benchmark(size: number): Promise<void> {
  const temporary = await temporaryDatabase()
  const settings = readSettings({ NODE_ENV: 'test', DATABASE_URL: temporary.url }, () =>
    developmentSecrets('.data-test'),
  )
  const database = await openDatabase(settings, { log: () => {}, onError: () => {} })
  try {
    await registerPartners(database.pools.shared, ['skyharbor'])
    await seedMerchants(database.pools.shared, { count: size })
    const notices = createNotices({ url: database.pools.url, log: pino({ level: 'silent' }) })
    const model = await createReadModel({
      shared: database.pools.shared,
      notices,
      log: pino({ level: 'silent' }),
    })
    const app = await searchServer(model, database)
    const bytes = (await app.inject({ url: query, headers: { host } })).payload
    const bare = await bareServer(bytes)
    const search = await measure((await app.listen({ port: 0 })) + query)
    const baseline = await measure((await bare.listen({ port: 0 })) + query)
    const ratio = (a: number, b: number) => (a / Math.max(b, 0.01)).toFixed(2)
    process.stdout.write(
      `  ${String(size).padStart(6)}  ${ratio(baseline.perSecond, search.perSecond).padStart(6)}x  ${search.perSecond.toFixed(0).padStart(7)}/s vs ${baseline.perSecond.toFixed(0).padStart(7)}/s  p99 ${milliseconds(search.p99)} vs ${milliseconds(baseline.p99)}  ${(bytes.length / 1024).toFixed(1)} kB\n`,
    )
    await Promise.all([app.close(), bare.close()])
    await model.close()
    await notices.close()
  } finally {
    await database.stop()
    await temporary.drop()
  }
}

process.stdout.write('\n  Search over HTTP against a bare route with the same bytes: how many times dearer\n\n')
const postgres = await keepPostgres()
process.env.TEST_DATABASE_URL = postgres.url
try {
  for (const size of sizes) await benchmark(size)
} finally {
  await postgres.stop()
}
