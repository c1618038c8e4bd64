import fc from 'fast-check'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WebBundle } from '../../src/app/server/pages.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type FuzzTarget, fuzz } from '../support/fuzz.ts'
import { consoleTargets, formTargets, listRoutes } from '../support/fuzz-forms.ts'
import { addressTargets, apiTargets, pagePostTargets, vaultTargets } from '../support/fuzz-targets.ts'
import { newMember } from '../support/members.ts'
import { mutate } from '../support/mutations.ts'
import { sendRaw } from '../support/raw-http.ts'
import { scaled } from '../support/scale.ts'

const calls = scaled({ full: 20_000, short: 300 })
/** For a server with one fault. */
const plantedCalls = scaled({ full: 2_000, short: 500 })
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122)

/** Pages that show their address: this test covers the steps before rendering. */
const web: WebBundle = {
  render: async ({ url }) => ({ kind: 'page', status: 200, html: `<html>${new URL(url).host}</html>` }) as never,
  scripts: () => ({}) as never,
  styles: () => [],
}

/** Uncaught errors: in production each of them ends the process. */
let uncaught: unknown[] = []
const note = (error: unknown) => uncaught.push(error)
beforeEach(() => {
  uncaught = []
  process.on('uncaughtExceptionMonitor', note)
})
afterEach(() => {
  process.off('uncaughtExceptionMonitor', note)
})

describe('generated requests', () => {
  let app: TestApp
  const targets: FuzzTarget[] = []
  beforeAll(async () => {
    app = await startTestApp({}, web)
    const { publicId } = await newMember(app)
    targets.push(
      ...(await apiTargets(app)),
      ...addressTargets(app),
      ...pagePostTargets(app),
      ...vaultTargets(app),
      ...(await consoleTargets(app, [publicId])),
      ...(await formTargets(app)),
    )
  })
  afterAll(() => app?.stop())

  test(
    'Case 64 no generated request gets a 5xx, every 4xx has its format, and the process stays alive',
    async () => {
      const { statuses, sent } = await fuzz(targets, { port: app.port, calls, seed })
      expect(sent).toBeGreaterThanOrEqual(calls)
      // Not every request is rejected by the first check: the code behind the checks is reached too.
      expect(statuses[200]).toBeGreaterThan(calls / 20)
      expect(statuses[400]).toBeGreaterThan(calls / 20)
      expect(uncaught).toEqual([])
      const alive = {
        method: 'GET',
        target: '/api/CSRF',
        headers: { host: `skyharbor.localhost:${app.port}` },
        body: null,
      }
      expect((await sendRaw(app.port, alive)).status).toBe(200)
    },
    300_000 + calls * 60,
  )

  test('every call of the API and every route of the console, the form service and the vault is among the targets', () => {
    const names = targets.map(({ name }) => name).join('\n')
    for (const { id } of app.partnerApp.calls) expect(names).toContain(`${id} `)
    const { console: operators, forms, vault } = app.auxiliaryApps
    if (!operators || !forms || !vault) throw new Error('a server is missing')
    for (const { id } of operators.operatorCalls) expect(names).toContain(`${id} by an administrator`)
    const pages = listRoutes(operators).filter(({ path }) => !path.startsWith('/api/'))
    for (const { method, path } of pages) expect(names).toContain(`console ${method} ${path}`)
    for (const { method, path } of listRoutes(forms)) expect(names).toContain(`forms ${method} ${path}`)
    for (const { path } of listRoutes(vault).filter(({ method }) => method === 'POST'))
      expect(names).toContain(`vault ${path}`)
  })
})

describe('the fuzzer', () => {
  /** Runs the harness against a server with one fault and returns its report. */
  async function getReport(response: (body: { note: string }) => { status: number; body: unknown }): Promise<string> {
    const app = Fastify()
    app.post<{ Body: { note: string } }>('/notes', (request, reply) => {
      const { status, body } = response(request.body)
      return reply.code(status).send(body)
    })
    app.setErrorHandler((_error, _request, reply) =>
      reply
        .type('application/problem+json')
        .code(400)
        .send({ type: 'x', title: '', status: 400, code: 'x', reference: '' }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const target: FuzzTarget = {
      name: 'planted',
      shape: 'any',
      draft: fc.record({
        method: fc.constant('POST'),
        host: fc.constant('localhost'),
        path: fc.constant('/notes'),
        params: fc.constant({}),
        query: fc.constant({}),
        body: fc.record({ note: fc.string(), other: fc.array(fc.string()) }),
        bodyType: fc.constant<'json'>('json'),
        headers: fc.constant({}),
      }),
    }
    try {
      await fuzz([target], { port, calls: plantedCalls, seed })
      return 'nothing found'
    } catch (error) {
      return (error as Error).message
    } finally {
      await app.close()
    }
  }

  test('finds a planted 500 on NUL and prints the seed and the smallest request', async () => {
    const report = await getReport(({ note }) => ({ status: String(note).includes('\0') ? 500 : 200, body: {} }))
    expect(report).toContain(`FUZZ_SEED=${seed}: status 500`)
    expect(report).toContain('POST /notes')
    expect(report).toContain('host: localhost')
    // The report is minimal: one change of one field remains.
    expect(report).toMatch(/changes: \[\{"how":"nul","at":\d+\}\]/)
    expect(report).toContain(String.raw`"{\"note\":\"a\\u0000b\",\"other\":[]}"`)
  })

  test('finds nothing in a server that handles every request', async () => {
    expect(await getReport(() => ({ status: 200, body: {} }))).toBe('nothing found')
  })

  test('changes requests further in which a value is nested deeply', () => {
    const draft = { method: 'POST', host: 'localhost', path: '/notes', params: {}, query: {}, body: { note: 'a' } }
    const deep = Array.from({ length: 200 }, (_, at) => ({ how: 'deep', at: at * 7 }))
    expect(mutate({ ...draft, headers: {}, bodyType: 'json' }, deep)).toHaveProperty('body')
  })
})
