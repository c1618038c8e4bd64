import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { SECOND } from '../../kit/time.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** What decides whether this process can serve. */
export interface Health {
  /** False until everything is in memory that a request needs. */
  warm: boolean
  /** False from the moment a stop was asked for: the load balancer sends nothing new. */
  accepting: boolean
  /** Whether the database answers; null until it was opened. */
  database: (() => Promise<boolean>) | null
}

/** The server of probes and metrics: it has a port of its own and answers to every host name. */
export interface Admin {
  app: FastifyInstance
  health: Health
  metrics: Metrics
}

const databaseTimeoutMs = 2 * SECOND

/** `/healthz` (the process lives), `/readyz` (it can serve), `/metrics` (Prometheus). Nothing listens yet. */
export function createAdmin(): Admin {
  const health: Health = { warm: false, accepting: true, database: null }
  const metrics = createMetrics()
  const app = Fastify({ logger: false, requestTimeout: 10 * SECOND, keepAliveTimeout: 5 * SECOND })
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }))
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: error.message }),
  )
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const { warm, accepting } = health
    const database = health.database !== null && (await withinTime(health.database()))
    const ready = warm && accepting && database
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', database, warm, accepting })
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.read()))
  return { app: app as unknown as FastifyInstance, health, metrics }
}

// A probe has a deadline of its own, and a database that does not answer within it is no use either.
async function withinTime(answers: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    // A response that has arrived while this process was busy is read before the time is called over.
    timer = setTimeout(() => setImmediate(() => setImmediate(() => done(false))), databaseTimeoutMs)
  })
  try {
    return await Promise.race([answers.catch(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
