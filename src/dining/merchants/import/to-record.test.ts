import { afterEach, expect, test, vi } from 'vitest'
import { toRecord } from './to-record.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a restaurant may have joined up to tomorrow, because it is tomorrow already elsewhere', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T12:00:00Z') })
  const row = { id: '1', name: 'Kumo', lat: 40.75, lng: -73.99, city: 'New York', state: 'NY' }
  const defaults = { source: 'test', participating: false, joinedOn: '2026-01-01' }
  const read = (joinedOn: string) => toRecord({ ...row, joinedOn }, defaults)
  expect(read('2026-03-11')).toMatchObject({ record: { joinedOn: '2026-03-11' } })
  expect(read('2026-03-12')).toEqual({ problems: ['joinedOn: lies in the future'] })
})
