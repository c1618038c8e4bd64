import { expect, test, vi } from 'vitest'
import type { Api } from '../../platform/browser/api.ts'
import {
  explicitPositionOptions,
  fetchFallbackPosition,
  passivePositionOptions,
  positionRefreshMs,
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
