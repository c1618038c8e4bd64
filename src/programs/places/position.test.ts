import { expect, test, vi } from 'vitest'
import type { Api } from '../../platform/browser/api.ts'
import {
  explicitPositionOptions,
  fetchFallbackPosition,
  getPassivePoint,
  passivePositionOptions,
  positionRefreshMs,
  requestPosition,
} from './member/embed/position.ts'
import { defaultCity, defaultPoint, rounded } from './rules.ts'

test('GEO-001 GEO-002 GEO-004 CONST-014 CONST-023 the options of position requests', () => {
  expect(explicitPositionOptions).toEqual({ enableHighAccuracy: true, timeout: 7000, maximumAge: 0 })
  expect(passivePositionOptions).toEqual({ enableHighAccuracy: false, timeout: 5000, maximumAge: 3_600_000 })
  expect(positionRefreshMs).toBe(300_000)
})

test('GEO-003 a position is rounded to two decimals', () => {
  expect(rounded({ latitude: 40.75774, longitude: -73.98571 })).toEqual({ latitude: 40.76, longitude: -73.99 })
})

test('GEO-005 GEO-006 the server estimates the position of a visitor, else the default point is used', async () => {
  const there = { latitude: 41.88, longitude: -87.63 }
  const succeeding = { call: vi.fn().mockResolvedValue(there) } as unknown as Api
  const failing = { call: vi.fn().mockRejectedValue(new Error('500')) } as unknown as Api
  expect(await fetchFallbackPosition(succeeding)).toEqual(there)
  expect(await fetchFallbackPosition(failing)).toEqual({ latitude: 40.7577, longitude: -73.9857 })
  expect(defaultPoint).toEqual({ latitude: 40.7577, longitude: -73.9857 })
})

test('GEO-007 account pages use a default city', () => {
  expect(defaultCity).toBe('New York, NY')
})

const midtown = { latitude: 40.75774, longitude: -73.98571 }

/** Replaces the device by one with a permission, and that has a position or none. Returns the options of requests. */
function stubDevice(state: string, coords: typeof midtown | null) {
  const requests: PositionOptions[] = []
  type Given = [(found: { coords: typeof midtown }) => void, (error: Error) => void, PositionOptions]
  const getCurrentPosition = (...[found, failed, options]: Given) => {
    requests.push(options)
    if (coords) found({ coords })
    else failed(new Error('unavailable'))
  }
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition }, permissions: { query: async () => ({ state }) } })
  return requests
}

test('GEO-002 a page that only prefers to know the position requests it where it is permitted, and never prompts', async () => {
  expect(stubDevice('granted', midtown)).toEqual([])
  expect(await getPassivePoint()).toEqual({ latitude: 40.76, longitude: -73.99 })
  for (const state of ['prompt', 'denied']) {
    const requests = stubDevice(state, midtown)
    expect([state, await getPassivePoint(), requests]).toEqual([state, null, []])
  }
  const requests = stubDevice('granted', null)
  expect([await getPassivePoint(), requests]).toEqual([null, [passivePositionOptions]])
  vi.stubGlobal('navigator', { permissions: { query: () => Promise.reject(new TypeError('geolocation')) } })
  expect(await getPassivePoint()).toBeNull()
  vi.stubGlobal('navigator', {})
  expect(await getPassivePoint()).toBeNull()
})

test('a request for the position of a device without one is rejected', async () => {
  vi.stubGlobal('navigator', {})
  await expect(requestPosition(explicitPositionOptions)).rejects.toThrow('no geolocation')
  stubDevice('granted', null)
  await expect(requestPosition(explicitPositionOptions)).rejects.toThrow('unavailable')
})
