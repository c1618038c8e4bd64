import { useEffect, useRef } from 'react'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'

declare global {
  interface Window {
    /** Defined by the card provider's script: a session identifies the device and contains no card data. */
    CardProvider?: { openSession(publishableKey: string): Promise<string> }
  }
}

/** Loads the card provider's script once and opens a session; cards can be linked without one. */
export function useCardSession(): () => Promise<string | null> {
  const { cardProvider } = useProgram()
  const { script, key } = cardProvider
  const session = useRef<Promise<string | null>>(Promise.resolve(null))
  useEffect(() => {
    session.current = load(script)
      .then(() => window.CardProvider?.openSession(key) ?? null)
      .catch(() => null)
  }, [script, key])
  return () => session.current
}

const loaded = new Map<string, Promise<void>>()

function load(src: string): Promise<void> {
  const known = loaded.get(src)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = src
    element.async = true
    element.onload = () => resolve()
    element.onerror = () => reject(new Error('the card provider’s script did not come'))
    document.head.append(element)
  })
  loaded.set(src, loading)
  return loading
}
