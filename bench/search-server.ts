import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pino from 'pino'
import { openDatabase } from '../src/app/database.ts'
import { createServer } from '../src/app/server/server.ts'
import { readSettings } from '../src/platform/config/settings.ts'
import { developmentSecrets } from '../src/platform/security/development-secrets.ts'
import { warmPlaces } from '../src/programs/places/service.ts'

// Child process of search.ts: the app without pages, and a Fastify with one route that returns the same bytes. It is a
// separate process so that the load runs on another core. Log lines are formatted and discarded.
const settings = readSettings(process.env, () => developmentSecrets(process.env.DATA_DIR as string))
const database = await openDatabase(settings, { log: () => {}, onError: () => {} })
const logger = pino({ level: 'info' }, pino.destination('/dev/null'))
const began = performance.now()
const app = await createServer({ settings, database, logger, web: null, pages: null, clientFiles: null })
const startMs = performance.now() - began
warmPlaces()
app.server.listen(settings.PORT, '127.0.0.1')
await once(app.server, 'listening')

let body = ''
const bare = Fastify()
bare.get('/bare', (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
await bare.listen({ port: 0, host: '127.0.0.1' })

const megabytes = () => Math.round(process.memoryUsage().rss / 1e6)
const cpuMicroseconds = () => process.cpuUsage().user + process.cpuUsage().system
process.on('message', (message: { body?: string }) => {
  body = message.body ?? body
  process.send?.({ megabytes: megabytes(), cpuMicroseconds: cpuMicroseconds() })
})
// The snapshot of a first start is complete when the app is closed.
process.on('disconnect', () => void app.close().finally(() => process.exit(0)))
process.send?.({
  barePort: (bare.server.address() as AddressInfo).port,
  megabytes: megabytes(),
  startMs: Math.round(startMs),
})
