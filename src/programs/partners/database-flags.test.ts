import { ProviderEvents } from '@openfeature/server-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseFlags } from './database-flags.ts'

interface Row {
  kind: string
  name: string
  value: unknown
}

/** Returns the provider over tables in memory, and how to change one of them as another process does. */
function createProvider() {
  const tables: Record<string, Row[]> = {
    beacon: [{ kind: 'authFlags', name: 'botCheck', value: false }],
    orchard: [{ kind: 'authFlags', name: 'botCheck', value: 'no' }],
  }
  const listeners: ((payload: string | null) => void)[] = []
  const forPartner = (partner: string) => ({
    selectFrom: () => ({ select: () => ({ execute: async () => structuredClone(tables[partner] ?? []) }) }),
  })
  const onError = vi.fn()
  const provider = new DatabaseFlags({
    pools: { forPartner } as never,
    dbListener: { on: (_channel: string, listener: never) => void listeners.push(listener) } as never,
    partners: ['beacon', 'orchard'],
    onError,
  })
  const changed = vi.fn()
  provider.events.addHandler(ProviderEvents.ConfigurationChanged, changed)
  onTestFinished(() => provider.onClose())
  const notify = (partner: string) => {
    for (const listener of listeners) listener(partner)
  }
  return { provider, tables, changed, notify }
}

const botCheck = (provider: DatabaseFlags, targetingKey: string) =>
  provider.resolveBooleanEvaluation('authFlags.botCheck', true, { targetingKey })

test('a flag has the value of its program; unset, or of another type, it has its default', async () => {
  const { provider } = createProvider()
  await provider.initialize()
  expect(await botCheck(provider, 'beacon')).toEqual({ value: false, reason: 'TARGETING_MATCH' })
  expect(await botCheck(provider, 'orchard')).toEqual({ value: true, reason: 'ERROR' })
  expect(await botCheck(provider, 'lantern')).toEqual({ value: true, reason: 'DEFAULT' })
  expect(await provider.resolveStringEvaluation('authFlags.botCheck', 'x', { targetingKey: 'orchard' })).toMatchObject({
    value: 'no',
  })
})

test('a change is reported once it is read, and nothing else is', async () => {
  const { provider, tables, changed, notify } = createProvider()
  await provider.initialize()
  notify('beacon')
  await provider.initialize()
  expect(changed).not.toHaveBeenCalled()
  tables.beacon = [{ kind: 'authFlags', name: 'botCheck', value: true }]
  notify('beacon')
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce(), 20_000)
  expect(await botCheck(provider, 'beacon')).toMatchObject({ value: true })
  // Initialized again, it reads every program at once.
  tables.orchard = []
  await provider.initialize()
  expect([changed.mock.calls.length, (await botCheck(provider, 'orchard')).reason]).toEqual([2, 'DEFAULT'])
})
