import { MINUTE } from '../../platform/time.ts'

/** Lifetime of the token from the console's button to the frame's first request, in milliseconds. */
export const handoffTtlMs = MINUTE
/** Maximum duration of an impersonation, regardless of activity (milliseconds). */
export const impersonationTtlMs = 30 * MINUTE
/** Path that the frame shows after exit. */
export const endedPath = '/Emulate/Ended'
/** Name of the console's frame. */
export const frameName = 'emulation'
/** Header of calls from the frame: other pages of the same browser also send the cookie. */
export const frameHeader = 'x-emulation'

/** Query parameter of the frame's first URL: the id of the impersonation. */
export const idParameter = 'emulationId'

/** Returns whether a message is the console's exit message. `origin` is the sender's origin. */
export function isExit(message: { origin: string; data: unknown }, consoleOrigin: string): boolean {
  if (message.origin !== consoleOrigin) return false
  const { data } = message
  return typeof data === 'object' && data !== null && (data as { exit?: unknown }).exit === true
}
