import { useEffect } from 'react'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'

const key = 'deletedCard'
/** Until the next document loads: this one may render the notice again while the member is being signed out. */
let isForNextDocument = false

/** Makes the next page show that a card was deleted: after the last one, the member is signed out. */
export function storeDeletedCardNotice(lastFour: string): void {
  isForNextDocument = true
  try {
    sessionStorage.setItem(key, lastFour)
  } catch {
    // Without sessionStorage the next page shows no message.
  }
}

export function DeletedCardNotice() {
  const t = useCopy()
  const toasts = useToasts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each document
  useEffect(() => {
    if (isForNextDocument) return
    try {
      const lastFour = sessionStorage.getItem(key)
      sessionStorage.removeItem(key)
      if (lastFour) toasts.show({ id: 'card', kind: 'success', message: t('cards.deleted', { lastFour }) })
    } catch {
      // As above.
    }
  }, [])
  return null
}
