import { MINUTE } from '../kit/time.ts'

/** From the console's button to the frame's first request, in milliseconds. */
export const handOverLength = MINUTE
/** However busy it is, an emulation ends after this. */
export const emulationLength = 30 * MINUTE
/** What the frame shows once it was left. */
export const endedPath = '/Emulate/Ended'
/** The name that the console gives to the frame. */
export const frameName = 'emulation'
/** What calls from within the frame carry: other pages of the same browser are not the frame, whatever cookies they send. */
export const frameHeader = 'x-emulation'

/** What the frame's first address says: the id of its emulation. */
export const idParameter = 'emulationId'

/** Whether a message is the console's word to leave. `origin` is where it came from. */
export function isExit(message: { origin: string; data: unknown }, consoleOrigin: string): boolean {
  if (message.origin !== consoleOrigin) return false
  const { data } = message
  return typeof data === 'object' && data !== null && (data as { exit?: unknown }).exit === true
}
