import { HOUR, MINUTE, SECOND } from '../../../kit/time.ts'
import type { Api } from '../../../kit/web/api.ts'
import { getDefaultUserLocation, type Point } from '../../contract.ts'
import { defaultPoint, rounded } from '../../rules.ts'

/** For who asks for what is near them: as exact as can be had, and new. */
export const chosenPosition: PositionOptions = { enableHighAccuracy: true, timeout: 7 * SECOND, maximumAge: 0 }
/** For what is shown by the way: roughly, and as old as an hour. */
export const passivePosition: PositionOptions = { enableHighAccuracy: false, timeout: 5 * SECOND, maximumAge: HOUR }
/** A granted position is asked for again so often. */
export const askAgainEvery = 5 * MINUTE

/** Where this device is, to two decimals, which is a few streets; rejects when that is denied or cannot be found out. */
export function askPosition(options: PositionOptions): Promise<Point> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error('no geolocation'))
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(rounded(coords)), reject, options)
  })
}

/** Where a visitor is taken to be who cannot be placed: the server's guess, else the fixed point. */
export async function fallbackPosition(api: Api): Promise<Point> {
  return api.call(getDefaultUserLocation, {}).catch(() => defaultPoint)
}

/** The position of a visitor who has allowed it before; nobody is asked by the way. Null otherwise. */
export async function passivePoint(): Promise<Point | null> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)
  if (permission?.state !== 'granted') return null
  return askPosition(passivePosition).catch(() => null)
}
