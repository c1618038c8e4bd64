import { bridgeLogKey } from '../../rules.ts'

/** Simulates the native app: records the messages that the app would receive. */
export function simulateNativeApp(): void {
  window.DinebackApp ??= { setUserId: (publicId) => sessionStorage.setItem(bridgeLogKey, publicId) }
}
