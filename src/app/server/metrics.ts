import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readPoolUse } from '../../platform/database/pool-use.ts'
import { SECOND } from '../../platform/time.ts'
import type { OperationMetric } from './operation-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Reads the figures of all programs from the database. */
export type LoadOperationMetrics = () => Promise<OperationMetric[]>

const cacheMs = 10 * SECOND

/** Gauges of database figures: name without prefix, help text, and possible states. */
const gauges = {
  emails: ['Emails by state', ['waiting', 'failed']],
  notifications: ['Notifications of members by state', ['waiting', 'failed']],
  payouts: ['Statement credits by state', ['waiting', 'failed', 'unanswered', 'attention']],
  claims: ['Claims by state: open ones wait for an operator, decided ones to be carried out', ['open', 'decided']],
  reservations: ['Reservations whose booking or cancellation is under way', ['unsettled']],
  unmatched_transactions: ['Transactions without a card or a restaurant', ['card', 'merchant']],
  dead_letters: ['Background jobs that have failed for good, by queue', []],
  overdue_jobs: ['Background jobs that have been due for over a minute, by queue', []],
  feed_files: ['Feed files that were started and not finished', ['unfinished']],
} as const

/** `/metrics` in Prometheus' text format. Labels contain no personal data. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const prefix = 'dineback_'
  collectDefaultMetrics({ register: registry })
  const responses = new Counter({
    name: `${prefix}responses_total`,
    help: 'Responses, by route and status',
    labelNames: ['partner', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: `${prefix}response_seconds`,
    help: 'Response time, by route',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
    registers,
  })
  const jobs = new Counter({
    name: `${prefix}job_runs_total`,
    help: 'Attempts of background jobs and periodic tasks in this process, by outcome',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const connections = new Gauge({
    name: `${prefix}pool_connections`,
    help: 'Database connections of this process by pool: all, idle ones, and callers that wait for one',
    labelNames: ['pool', 'state'],
    registers,
  })
  const counts = Object.fromEntries(
    Object.entries(gauges).map(([figure, [help]]) => [
      figure,
      new Gauge({ name: `${prefix}${figure}`, help, labelNames: ['partner', 'state'], registers }),
    ]),
  )
  const oldest = new Gauge({
    name: `${prefix}oldest_waiting_seconds`,
    help: 'Age of the oldest that waits, by what waits',
    labelNames: ['partner', 'kind'],
    registers,
  })
  const feedAge = new Gauge({
    name: `${prefix}feed_newest_message_age_seconds`,
    help: 'Time since the newest card-network message of any program was stored',
    registers,
  })
  const auditBroken = new Gauge({
    name: `${prefix}audit_log_broken`,
    help: '1 when the last check found a changed or removed entry in the operators’ audit log, else 0',
    registers,
  })
  const auditCheckAge = new Gauge({
    name: `${prefix}audit_log_check_age_seconds`,
    help: 'Time since the last check of the operators’ audit log',
    registers,
  })
  const figuresRead = new Gauge({
    name: `${prefix}figures_up`,
    help: '1 when the figures of the database could be read, else 0 and they are left out',
    registers,
  })

  let loadMetrics: LoadOperationMetrics | null = null
  let partners: readonly string[] = []
  let read: Promise<void> | null = null
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    let figures: OperationMetric[] | null = null
    try {
      figures = loadMetrics ? await loadMetrics() : null
    } catch {
      // A gauge reports this; a scrape must still return the other metrics.
    }
    for (const gauge of [...Object.values(counts), oldest, feedAge]) gauge.reset()
    // Without a figure there is none, which is not zero.
    for (const gauge of [feedAge, auditBroken, auditCheckAge]) gauge.remove()
    if (figures === null) {
      figuresRead.set(0)
      return
    }
    figuresRead.set(1)
    for (const [figure, [, states]] of Object.entries(gauges)) {
      for (const partner of partners) for (const state of states) counts[figure]?.set({ partner, state }, 0)
    }
    for (const { figure, partner, state, value } of figures) {
      if (figure === 'feed_newest_message_age') feedAge.set(value)
      else if (figure === 'audit_log_broken') auditBroken.set(value)
      else if (figure === 'audit_log_check_age') auditCheckAge.set(value)
      else if (figure === 'oldest') oldest.set({ partner, kind: state }, value)
      else counts[figure]?.set({ partner, state }, value)
    }
  }

  return {
    contentType: registry.contentType,
    /** Sets the source of the figures, and the programs to report even when a figure is zero. */
    attach(from: LoadOperationMetrics, programs: readonly string[]) {
      loadMetrics = from
      partners = programs
      readAt = Number.NEGATIVE_INFINITY
    },
    /** Counts the responses of a server. */
    observe(app: FastifyInstance) {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'unknown'
        responses.inc({ partner: request.ctx?.partnerId ?? 'none', route, status: reply.statusCode })
        seconds.observe({ route }, reply.elapsedTime / 1000)
      })
    },
    /** Counts a run of a background job. */
    countJob(job: string, outcome: 'done' | 'failed') {
      jobs.inc({ job, outcome })
    },
    /** Returns the text of a scrape. Figures are read from the database at most every ten seconds. */
    async read(): Promise<string> {
      if (performance.now() - readAt > cacheMs) {
        readAt = performance.now()
        read = refresh()
      }
      await read
      connections.reset()
      for (const { pool, ...states } of readPoolUse()) {
        for (const [state, value] of Object.entries(states)) connections.inc({ pool, state }, value)
      }
      return registry.metrics()
    },
  }
}
