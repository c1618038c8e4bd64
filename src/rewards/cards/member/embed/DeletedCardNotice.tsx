import { useEffect } from 'react'
import { storeForNext, takeStored } from '../../../../platform/browser/next-document.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'

const key = 'deletedCard'

/** Makes the next page show that a card was deleted: after the last one, the member is signed out. */
export const storeDeletedCardNotice = (lastFour: string): void => storeForNext(key, lastFour)

export function DeletedCardNotice() {
  const t = useCopy()
  const toasts = useToasts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each document
  useEffect(() => {
    const lastFour = takeStored(key)
    if (lastFour) toasts.show({ id: 'card', kind: 'success', message: t('cards.deleted', { lastFour }) })
  }, [])
  return null
}
