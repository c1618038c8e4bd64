import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Pools } from '../../kit/server/db.ts'

export interface Health {
  /** False from the moment a stop was asked for: the load balancer sends nothing new. */
  accepting: boolean
}

/** `/healthz` (the process lives), `/readyz` (it can serve), on every host. */
export function serveHealth(app: FastifyInstance, pools: Pools, health: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const database = await sql`select 1`.execute(pools.shared).then(
      () => true,
      () => false,
    )
    const ready = database && health.accepting
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', database, accepting: health.accepting })
  })
}

/** `/metrics` in Prometheus' text format; for the local network only, so the gallery's door has it. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'dineback_answers_total',
    help: 'Requests answered, by route and status',
    labelNames: ['partner', 'route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'dineback_answer_seconds',
    help: 'Time to answer, by route',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
    registers: [registry],
  })
  return {
    observe(app: FastifyInstance) {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'unknown'
        answers.inc({ partner: request.ctx?.partnerId ?? 'none', route, status: reply.statusCode })
        seconds.observe({ route }, reply.elapsedTime / 1000)
      })
    },
    serve(app: FastifyInstance) {
      app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>
