import type { ReadApi } from '../../../../platform/browser/api.ts'
import { HOUR, MINUTE, SECOND } from '../../../../platform/time.ts'
import { getDefaultUserLocation, type Point } from '../../contract.ts'
import { defaultPoint, rounded } from '../../rules.ts'

/** For explicit requests: high accuracy, not cached. */
export const explicitPositionOptions: PositionOptions = { enableHighAccuracy: true, timeout: 7 * SECOND, maximumAge: 0 }
/** For passive use: low accuracy, up to an hour old. */
export const passivePositionOptions: PositionOptions = {
  enableHighAccuracy: false,
  timeout: 5 * SECOND,
  maximumAge: HOUR,
}
/** Interval for refreshing a granted position. */
export const positionRefreshMs = 5 * MINUTE

/** Returns the device's position to two decimals, which is a few streets. Rejects when it is denied or unavailable. */
export function requestPosition(options: PositionOptions): Promise<Point> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error('no geolocation'))
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(rounded(coords)), reject, options)
  })
}

/** Returns the assumed position of a visitor without a known one: the server's estimate, else the default point. */
export async function fetchFallbackPosition(api: ReadApi): Promise<Point> {
  return api.call(getDefaultUserLocation, {}).catch(() => defaultPoint)
}

/** Returns the position if the visitor has already granted permission, without prompting; null otherwise. */
export async function getPassivePoint(): Promise<Point | null> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)
  if (permission?.state !== 'granted') return null
  return requestPosition(passivePositionOptions).catch(() => null)
}
