import type { FastifyInstance } from 'fastify'
import { createHttpApp } from '../../platform/http/create-http-app.ts'
import { SECOND } from '../../platform/time.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** Conditions for readiness of this process. */
export interface Health {
  /** False until everything that requests need is in memory. */
  warm: boolean
  /** False once shutdown was requested: the load balancer sends no new requests. */
  accepting: boolean
  /** Checks the database connection; null until it is opened. */
  database: (() => Promise<boolean>) | null
}

/** The server of probes and metrics: it has its own port and accepts every host. */
export interface Admin {
  app: FastifyInstance
  health: Health
  metrics: Metrics
}

const databaseTimeoutMs = 2 * SECOND

/** Creates `/healthz` (liveness), `/readyz` (readiness) and `/metrics` (Prometheus), without listening. */
export async function createAdmin(): Promise<Admin> {
  const health: Health = { warm: false, accepting: true, database: null }
  const metrics = createMetrics()
  const app = await createHttpApp({
    host: 'admin',
    logger: null,
    // The private port has no TLS of its own.
    scheme: 'http',
    referrerPolicy: 'no-referrer',
    framing: 'denied',
    timeouts: { requestTimeout: 10 * SECOND, keepAliveTimeout: 5 * SECOND },
    sendError: (reply, { error }) => reply.send({ error: error.message }),
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }))
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const { warm, accepting } = health
    const database = health.database !== null && (await withTimeout(health.database()))
    const ready = warm && accepting && database
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', database, warm, accepting })
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.read()))
  return { app, health, metrics }
}

// Probes have their own deadline; a database that misses it counts as unavailable.
async function withTimeout(probe: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    // Lets a response that arrived while this process was busy be read before the timeout applies.
    timer = setTimeout(() => setImmediate(() => setImmediate(() => done(false))), databaseTimeoutMs)
  })
  try {
    return await Promise.race([probe.catch(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
