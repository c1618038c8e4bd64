import { useEffect } from 'react'

declare global {
  interface Window {
    /** API that our native app adds to its pages. */
    DinebackApp?: { setUserId(publicId: string): void }
  }
}

/** Passes the signed-in member to the native app. Errors of the app are only logged. */
export function useNativeBridge(publicId: string | undefined): void {
  useEffect(() => {
    if (!publicId) return
    try {
      window.DinebackApp?.setUserId(publicId)
    } catch (error) {
      console.info(`The native app did not take the user id: ${String(error)}`)
    }
  }, [publicId])
}
