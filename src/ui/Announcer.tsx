import { createContext, type ReactNode, use, useEffect, useId, useState } from 'react'

/** Sets what an element announces; '' takes it back. */
type Announce = (id: string, text: string) => void

const AnnouncerContext = createContext<Announce>(() => {})

/**
 * A live region that is on the page before what it says: one that is added together with its text is not announced. For
 * components that appear as a whole; what changes within a page has a region of its own, which is always there.
 */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [announce] = useState<Announce>(
    () => (id: string, text: string) => setTexts((texts) => ({ ...texts, [id]: text })),
  )
  return (
    <AnnouncerContext value={announce}>
      {children}
      <div className="visually-hidden" role="status">
        {Object.entries(texts).map(([id, text]) => text && <p key={id}>{text}</p>)}
      </div>
    </AnnouncerContext>
  )
}

/** Announces a text while the component is on the page. */
export function useAnnouncement(text: string): void {
  const id = useId()
  const announce = use(AnnouncerContext)
  useEffect(() => {
    announce(id, text)
    return () => announce(id, '')
  }, [announce, id, text])
}
