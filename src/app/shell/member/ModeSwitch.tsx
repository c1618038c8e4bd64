import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSyncExternalStore } from 'react'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './ModeSwitch.module.css'

const maxAgeSeconds = 365 * 24 * 60 * 60

// Read from the document: the theme, the system and the visitor's choice all affect the mode.
function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === 'dark'
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  listeners.add(listener)
  return () => {
    system.removeEventListener('change', listener)
    listeners.delete(listener)
  }
}

/** Dark or light: a cookie stores the choice, so that the next page is rendered in it. */
export function ModeSwitch() {
  const t = useCopy()
  const dark = useSyncExternalStore(subscribe, isDark, () => null)
  const choose = () => {
    const mode = dark ? 'light' : 'dark'
    document.documentElement.dataset.mode = mode
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and Safari has no cookie store yet
    document.cookie = `mode=${mode};path=/;max-age=${maxAgeSeconds};samesite=lax`
    for (const listener of listeners) listener()
  }
  if (dark === null) return null
  const Icon = dark ? Sun : Moon
  return (
    <button type="button" className={styles.switch} onClick={choose}>
      <Icon aria-hidden="true" size={18} />
      {t(dark ? 'shell.mode_light' : 'shell.mode_dark')}
    </button>
  )
}
