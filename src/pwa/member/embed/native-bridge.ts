import { useEffect } from 'react'
import { useMember } from '../../../members/member/embed/use-member.ts'

declare global {
  interface Window {
    /** What our native app puts into its pages. */
    DinebackApp?: { setUserId(publicId: string): void }
  }
}

/** Tells the native app who is signed in. An app that does not listen is only noted. */
export function useNativeBridge(): void {
  const publicId = useMember()?.publicId
  useEffect(() => {
    if (!publicId) return
    try {
      window.DinebackApp?.setUserId(publicId)
    } catch (error) {
      console.info(`The native app did not take the user id: ${String(error)}`)
    }
  }, [publicId])
}
