import type { FastifyInstance } from 'fastify'
import { expect, test, vi } from 'vitest'
import { AdminPortError, listenAdmin } from './listen-admin.ts'

/** Listens with settings; `code` is that of the failure. Returns where it listened, its log lines and its error. */
async function listenWith(
  settings: { ADMIN_PORT?: number; NODE_ENV?: 'development' | 'production' },
  code?: string,
): Promise<{ listened: unknown[]; lines: string[]; error: string | null }> {
  const listen = vi.fn(async () => {
    if (code) throw Object.assign(new Error('no address'), { code })
  })
  const lines: string[] = []
  const app = { listen } as unknown as FastifyInstance
  const given = { ADMIN_HOST: '127.0.0.1', NODE_ENV: 'development', ...settings } as const
  const error = await listenAdmin(app, given, (line) => lines.push(line)).then(
    () => null,
    (thrown) => {
      expect(thrown).toBeInstanceOf(AdminPortError)
      return thrown.message as string
    },
  )
  return { listened: listen.mock.calls.flat(), lines, error }
}

test('probes and metrics are at the configured port, at 9464 without one, and nowhere with 0', async () => {
  expect((await listenWith({ ADMIN_PORT: 9000 })).listened).toEqual([{ port: 9000, host: '127.0.0.1' }])
  expect((await listenWith({})).listened).toEqual([{ port: 9464, host: '127.0.0.1' }])
  expect((await listenWith({ ADMIN_PORT: 0 })).listened).toEqual([])
})

test('only a taken default port outside production is no error', async () => {
  const taken = await listenWith({}, 'EADDRINUSE')
  expect([taken.error, taken.lines]).toEqual([
    null,
    ['admin: Port 9464 is taken; probes and metrics are off. Set ADMIN_PORT to another port, or to off.'],
  ])
  expect((await listenWith({ NODE_ENV: 'production' }, 'EADDRINUSE')).error).toMatch(
    /^Cannot start: Port 9464 is taken/,
  )
  expect((await listenWith({ ADMIN_PORT: 9464 }, 'EADDRINUSE')).error).toMatch(/^Cannot start: Port 9464 is taken/)
  expect((await listenWith({}, 'EADDRNOTAVAIL')).error).toMatch(
    /^Cannot start: 127\.0\.0\.1:9464 cannot be used \(no address\)/,
  )
})
