import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAdmin } from '../../src/app/server/health.ts'
import { loadOperationMetrics } from '../../src/app/server/operation-metrics.ts'
import type { WebBundle } from '../../src/app/server/pages.ts'
import { createServer } from '../../src/app/server/server.ts'
import * as pages from '../../src/app/web/entry.pages.tsx'
import type { RenderResult } from '../../src/app/web/entry.server.tsx'
import { ApiCallError } from '../../src/platform/browser/api.ts'
import { asOwner, startTestApp, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { freePort } from '../support/free-port.ts'
import { newMember } from '../support/members.ts'

const app = setUpTestApp()
let adminPort: number

beforeAll(async () => {
  await app.admin.app.listen({ port: 0, host: '127.0.0.1' })
  adminPort = (app.admin.app.server.address() as AddressInfo).port
})

afterAll(async () => {
  await app?.admin.app.close()
})

function sendRequest(port: number, path: string, host?: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, headers: host === undefined ? {} : { host } }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    call.on('error', reject)
    call.end()
  })
}

/** Returns the value of a series, or undefined if it does not exist. */
function seriesIn(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('a server that was closed keeps no connection to the database but its pools, which its process closes', async () => {
  const closing = await startTestApp()
  const listUsers = async () => {
    const rows = await asOwner<{ user: string }>(
      closing,
      `select distinct regexp_replace(usename, '^.*_', '') as user from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' order by 1`,
    )
    return rows.map(({ user }) => user)
  }
  try {
    await closing.auxiliaryApps.vault?.inject('/frame?intent=unknown')
    expect(await listUsers()).toEqual(expect.arrayContaining(['forms', 'vault']))
    await closing.close()
    // PostgreSQL removes each connection a moment after it was closed.
    const others = async () => (await listUsers()).filter((user) => user === 'vault' || user === 'forms')
    await expect.poll(others, { timeout: 20_000 }).toEqual([])
  } finally {
    await closing.stop().catch(() => {})
  }
})

describe('the admin port', () => {
  test('probes by IP address, and with any Host header, are served', async () => {
    for (const host of [undefined, `127.0.0.1:${adminPort}`, '10.1.2.3', 'skyharbor.localhost', 'unknown.example']) {
      expect([host, (await sendRequest(adminPort, '/healthz', host)).status]).toEqual([host, 200])
      const ready = await sendRequest(adminPort, '/readyz', host)
      expect([host, ready.status, JSON.parse(ready.body)]).toEqual([
        host,
        200,
        { status: 'ready', database: true, warm: true, accepting: true },
      ])
      expect((await sendRequest(adminPort, '/metrics', host)).body).toContain('dineback_responses_total')
    }
    expect((await sendRequest(adminPort, '/api/Member')).status).toBe(404)
  })

  test('no public host serves probes or metrics', async () => {
    for (const name of ['skyharbor.', 'vault.', 'forms.', 'console.', 'id.', '']) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const { status } = await sendRequest(app.port, path, `${name}localhost:${app.port}`)
        // The console redirects every signed-out request to its sign-in page, on any path.
        expect([name, path, status]).toEqual([name, path, name === 'console.' ? 303 : 404])
      }
    }
  })

  test('a process is not ready before warm-up, without its database, and from the moment it stops', async () => {
    const { app: server, health } = await createAdmin()
    const ready = async () => {
      const { statusCode, json } = await server.inject('/readyz')
      return [statusCode, json()]
    }
    expect(await ready()).toEqual([503, { status: 'not ready', database: false, warm: false, accepting: true }])
    health.warm = true
    health.database = async () => true
    expect((await ready())[0]).toBe(200)
    for (const database of [
      async () => false,
      () => Promise.reject(new Error('away')),
      () => new Promise<boolean>(() => {}),
    ]) {
      health.database = database
      expect((await ready())[0]).toBe(503)
    }
    health.database = async () => true
    health.accepting = false
    expect(await ready()).toEqual([503, { status: 'not ready', database: true, warm: true, accepting: false }])
    expect((await server.inject('/healthz')).statusCode).toBe(200)
    await server.close()
  })

  test('a configured port that is in use stops the start with a line that names the setting', async () => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'development',
        WITHOUT_PAGES: '1',
        LOG_LEVEL: 'silent',
        DATABASE_URL: app.settings.DATABASE_URL,
        DATA_DIR: app.dataDir,
        PORT: String(await freePort()),
        ADMIN_PORT: String(adminPort),
      },
    })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(output).toContain(`Port ${adminPort} is taken`)
    expect(output).toContain('ADMIN_PORT')
  })
})

describe('metrics', () => {
  const scrape = async () => (await sendRequest(adminPort, '/metrics')).body

  test('count waiting and failed work in every program and contain no personal data', async () => {
    const { visitor } = await newMember(app)
    await newMember(app, 'orchard')
    expect((await visitor.get('/api/Member')).status).toBe(200)
    const before = await loadOperationMetrics(app.database.consolePools.shared)
    const count = (figures: typeof before, figure: string, partner: string, state: string) =>
      figures.find((each) => each.figure === figure && each.partner === partner && each.state === state)?.value ?? 0
    await asOwner(
      app,
      `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status)
       select partner_id, id, 'for-figures', status, email, '', '', '', status
       from members, unnest(array['failed', 'sent']) status where partner_id = 'orchard'`,
    )
    await asOwner(
      app,
      `insert into transactions (partner_id, public_id, network_id, merchant_name, network_location_id, card_last_four,
         stage, award_status, unit, reason, unmatched, occurred_at)
       values ('skyharbor', 'for-figures', 'for-figures', 'A Place', 'L', '1111', 'cleared', 'Pending', 'mile', '{}',
         'card', now() - interval '2 hours')`,
    )
    await asOwner(
      app,
      `insert into claims (partner_id, public_id, member_id, transaction_date, merchant_name, amount_cents, findings, respond_by)
       select partner_id, 'for-figures', id, current_date, 'A Place', 100, '{}', now() + interval '1 day'
       from members where partner_id = 'skyharbor' limit 1`,
    )
    await asOwner(
      app,
      `insert into feed_messages (partner_id, network_id, event, body, outcome, received_at, updated_at)
       values ('skyharbor', 'for-figures', 'transaction.cleared', '{}', 'unmatched', now() - interval '90 seconds', now())`,
    )
    await asOwner(
      app,
      `insert into jobs.job (name, data, source_name)
       values ('dead-letters', '{"partnerId": "orchard", "id": "for-figures"}', 'emails')`,
    )
    const after = await loadOperationMetrics(app.database.consolePools.shared)
    expect(count(after, 'emails', 'orchard', 'failed')).toBe(1)
    // A sent email no longer waits. The email about the new account may have been sent meanwhile.
    expect(count(after, 'emails', 'orchard', 'waiting')).toBeLessThanOrEqual(
      count(before, 'emails', 'orchard', 'waiting'),
    )
    expect(count(after, 'unmatched_transactions', 'skyharbor', 'card')).toBe(
      count(before, 'unmatched_transactions', 'skyharbor', 'card') + 1,
    )
    expect(count(after, 'claims', 'skyharbor', 'open')).toBe(1)
    expect(count(after, 'dead_letters', 'orchard', 'emails')).toBe(1)
    expect(count(after, 'oldest', 'skyharbor', 'unmatched_transaction')).toBeGreaterThanOrEqual(7200)
    expect(count(after, 'feed_newest_message_age', '', '')).toBeGreaterThanOrEqual(90)

    // An earlier scrape may have cached the previous figures.
    app.admin.metrics.attach(() => loadOperationMetrics(app.database.consolePools.shared), [...app.programs.keys()])
    const metrics = await scrape()
    expect(seriesIn(metrics, 'dineback_figures_up')).toBe(1)
    expect(seriesIn(metrics, 'dineback_claims{partner="skyharbor",state="open"}')).toBe(1)
    expect(seriesIn(metrics, 'dineback_claims{partner="beacon",state="open"}')).toBe(0)
    expect(seriesIn(metrics, 'dineback_payouts{partner="beacon",state="failed"}')).toBe(0)
    expect(seriesIn(metrics, 'dineback_emails{partner="orchard",state="failed"}')).toBe(1)
    expect(seriesIn(metrics, 'dineback_feed_newest_message_age_seconds')).toBeGreaterThanOrEqual(90)
    expect(seriesIn(metrics, 'dineback_pool_connections{pool="app",state="total"}')).toBeGreaterThan(0)
    expect(seriesIn(metrics, 'dineback_pool_connections{pool="console",state="waiting"}')).toBe(0)
    expect(metrics).not.toContain('for-figures')
    expect(metrics).not.toMatch(/@example\.com/)
  })

  test('are scraped often and read from the database rarely', async () => {
    const { metrics } = await createAdmin()
    let reads = 0
    metrics.attach(async () => {
      reads++
      return [{ figure: 'claims', partner: 'skyharbor', state: 'open', value: 7 }]
    }, ['skyharbor'])
    const texts = await Promise.all([1, 2, 3, 4].map(() => metrics.read()))
    for (const text of texts) expect(seriesIn(text, 'dineback_claims{partner="skyharbor",state="open"}')).toBe(7)
    expect(reads).toBe(1)
  })

  test('are read again after ten seconds, and report no dead letter that is gone', async () => {
    const { metrics } = await createAdmin()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(50_000)
    let reads = 0
    metrics.attach(async () => {
      const letter = { figure: 'dead_letters', partner: 'skyharbor', state: 'emails', value: 3 }
      return ++reads === 1 ? [letter, { ...letter, figure: 'oldest', state: 'payout', value: 70 }] : []
    }, ['skyharbor'])
    const series = [
      'dead_letters{partner="skyharbor",state="emails"}',
      'oldest_waiting_seconds{partner="skyharbor",kind="payout"}',
    ]
    const read = async (now: number) => {
      clock.mockReturnValue(now)
      const text = await metrics.read()
      return [reads, ...series.map((name) => text.includes(`dineback_${name} `))]
    }
    expect(await read(50_000)).toEqual([1, true, true])
    expect(await read(60_000)).toEqual([1, true, true])
    expect(await read(60_001)).toEqual([2, false, false])
  })

  test('report when the database cannot be read, and include the rest', async () => {
    const { metrics } = await createAdmin()
    metrics.attach(() => Promise.reject(new Error('away')), ['skyharbor'])
    const text = await metrics.read()
    expect(seriesIn(text, 'dineback_figures_up')).toBe(0)
    expect(text).not.toContain('dineback_claims{')
    expect(text).toContain('process_cpu_seconds_total')
  })

  test('can be read by permitted roles only', async () => {
    await expect(sql`select * from operation_figures()`.execute(app.database.pools.shared)).rejects.toThrow(
      /permission denied/,
    )
    const client = new pg.Client({ connectionString: app.database.vaultUrl })
    await client.connect()
    await expect(client.query('select * from operation_figures()')).rejects.toThrow(/permission denied/)
    await client.end()
  })

  test('count requests without a route together, so that no address becomes a series', async () => {
    const { body } = await sendRequest(adminPort, '/metrics')
    const series = 'dineback_responses_total{partner="skyharbor",route="unknown",status="404"}'
    const host = `skyharbor.localhost:${app.port}`
    for (const path of ['/no-route/1?email=pat@example.com', '/no-route/2'])
      expect((await sendRequest(app.port, path, host)).status).toBe(404)
    const after = (await sendRequest(adminPort, '/metrics')).body
    expect(seriesIn(after, series)).toBe((seriesIn(body, series) ?? 0) + 2)
    expect(after).not.toContain('no-route')
  })

  test('count the runs of background jobs by outcome', async () => {
    const { metrics } = await createAdmin()
    metrics.countJob('emails', 'done')
    metrics.countJob('emails', 'failed')
    metrics.countJob('emails', 'failed')
    const text = await metrics.read()
    expect(seriesIn(text, 'dineback_job_runs_total{job="emails",outcome="failed"}')).toBe(2)
  })
})

describe('while the database is unavailable', () => {
  test('a page that cannot be rendered gets 503 with Retry-After', async () => {
    const away = () => new ApiCallError(503, { code: 'databaseUnavailable' })
    const renders: (() => Promise<RenderResult>)[] = [
      async () => ({ kind: 'page', html: '<p>Later</p>', style: '', links: '', status: 503 }),
      () => Promise.reject(away()),
    ]
    for (const render of renders) {
      const web: WebBundle = { render, styles: () => [], scripts: () => ({ entry: '', preload: () => [] }) as never }
      const { settings, database, programs } = app
      const logger = pino({ level: 'silent' })
      const server = await createServer({ settings, database, programs, logger, web, pages, clientFiles: null })
      const { statusCode, headers } = await server.partnerApp.inject({
        url: '/',
        headers: { host: `skyharbor.localhost:${app.port}` },
      })
      expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
      await server.close()
    }
  })

  test('a request gets 503 with Retry-After, and succeeds once the database is back', async () => {
    const name = new URL(app.database.ownerUrl).pathname.slice(1)
    const url = new URL(app.database.ownerUrl)
    url.pathname = '/postgres'
    const server = new pg.Client({ connectionString: url.href })
    await server.connect()
    const visitor = visit(app, 'skyharbor')
    try {
      await server.query(`alter database ${name} connection limit 0`)
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      const response = await visitor.get('/api/CSRF')
      expect([response.status, response.headers['retry-after'], response.json().code]).toEqual([
        503,
        '5',
        'databaseUnavailable',
      ])
      expect((await sendRequest(adminPort, '/readyz')).status).toBe(503)
    } finally {
      await server.query(`alter database ${name} connection limit -1`)
      await server.end()
    }
    expect((await visitor.get('/api/CSRF')).status).toBe(200)
    expect((await sendRequest(adminPort, '/readyz')).status).toBe(200)
  })
})
