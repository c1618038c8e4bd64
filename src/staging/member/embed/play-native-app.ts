import { bridgeLogKey } from '../../rules.ts'

/** Stands in for the native app where none is around the page: notes what the app would be told. */
export function playNativeApp(): void {
  window.DinebackApp ??= { setUserId: (publicId) => sessionStorage.setItem(bridgeLogKey, publicId) }
}
