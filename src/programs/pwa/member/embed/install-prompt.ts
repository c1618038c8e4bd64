/** The browser's install prompt event, which fires once and early; stored until the visitor wants it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | null = null
const listeners = new Set<() => void>()

function setOffered(event: InstallPrompt | null): void {
  offered = event
  for (const listener of listeners) listener()
}

/** Listens for the event; called before the app starts, because it may fire before that. */
export function awaitInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    setOffered(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => setOffered(null))
}

export const installPrompt = {
  current: () => offered,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Shows the browser's own prompt. Works only once. */
  async show(): Promise<void> {
    const event = offered
    setOffered(null)
    await event?.prompt()
  },
}
