import { expect, onTestFinished, test, vi } from 'vitest'
import { createAdmin } from './health.ts'

test('a process is ready when it is warm, accepts requests and has a database that responds within two seconds', async () => {
  const { app, health } = await createAdmin()
  onTestFinished(() => app.close())
  const ready = async () => {
    const { statusCode, ...response } = await app.inject('/readyz')
    const { warm, accepting, database } = response.json()
    return [statusCode, warm, accepting, database]
  }
  expect(await ready()).toEqual([503, false, true, false])
  health.warm = true
  expect(await ready()).toEqual([503, true, true, false])
  health.database = async () => true
  expect(await ready()).toEqual([200, true, true, true])
  health.database = () => Promise.reject(new Error('no connection'))
  expect(await ready()).toEqual([503, true, true, false])
  health.database = async () => true
  health.accepting = false
  expect(await ready()).toEqual([503, true, false, true])
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
})

test('a database that does not respond counts as unavailable after two seconds', async () => {
  const { app, health } = await createAdmin()
  onTestFinished(() => app.close())
  await app.ready()
  const requested = Promise.withResolvers<void>()
  Object.assign(health, {
    warm: true,
    database: () => {
      requested.resolve()
      return new Promise(() => {})
    },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const response = app.inject('/readyz').then(({ statusCode }) => statusCode)
  await requested.promise
  vi.advanceTimersByTime(1_999)
  const early = await Promise.race([response, new Promise((done) => setImmediate(() => setImmediate(done)))])
  expect(early).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(await response).toBe(503)
})
