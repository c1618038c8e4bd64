import X from 'lucide-react/icons/x'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react'
import styles from './Toasts.module.css'

export interface Toast {
  /** A toast with the same id, or the same words, replaces the earlier one. */
  id?: string
  kind: 'success' | 'error' | 'warning'
  message: string
  onSelect?: () => void
}

interface Toasts {
  show: (toast: Toast) => void
}

const ToastContext = createContext<Toasts>({ show: () => {} })
/**
 * Success toasts disappear after this time (milliseconds), in which neither the pointer nor the focus is in them; others
 * stay until dismissed.
 */
const successDurationMs = 10_000
let count = 0

export function useToasts(): Toasts {
  return use(ToastContext)
}

type Shown = Toast & { id: string; key: number }

interface ProviderProps {
  regionLabel: string
  dismissLabel: string
  children: ReactNode
}

export function ToastProvider({ regionLabel, dismissLabel, children }: ProviderProps) {
  const [toasts, setToasts] = useState<Shown[]>([])
  const [isHeld, setHeld] = useState(false)
  const value = useMemo<Toasts>(
    () => ({
      show(toast) {
        const key = ++count
        const shown = { ...toast, id: toast.id ?? `toast-${key}`, key }
        const isOther = ({ id, kind, message }: Shown) =>
          id !== shown.id && (kind !== shown.kind || message !== shown.message)
        setToasts((before) => [...before.filter(isOther), shown])
      },
    }),
    [],
  )
  function dismiss(id: string): void {
    // A button that is removed reports neither that the focus has left it nor that the pointer has.
    setHeld(false)
    setToasts((before) => before.filter((toast) => toast.id !== id))
  }
  const linesOf = (some: readonly Shown[]) =>
    some.map((toast) => (
      // One that replaces another has a time of its own.
      <ToastLine
        key={toast.key}
        toast={toast}
        isHeld={isHeld}
        dismissLabel={dismissLabel}
        onDismiss={() => dismiss(toast.id)}
      />
    ))
  return (
    <ToastContext value={value}>
      {/* Before the page in DOM order: keyboard and screen reader users would find a toast below it too late. */}
      <section
        className={styles.region}
        aria-label={regionLabel}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {/* The live regions are on the page before their toasts: one that is added with its text is not announced. */}
        <div className={styles.list} aria-live="assertive">
          {linesOf(toasts.filter(({ kind }) => kind === 'error'))}
        </div>
        <div className={styles.list} aria-live="polite">
          {linesOf(toasts.filter(({ kind }) => kind !== 'error'))}
        </div>
      </section>
      {children}
    </ToastContext>
  )
}

interface LineProps {
  toast: Shown
  isHeld: boolean
  dismissLabel: string
  onDismiss: () => void
}

function ToastLine({ toast, isHeld, dismissLabel, onDismiss }: LineProps) {
  const disappear = useEffectEvent(onDismiss)
  useEffect(() => {
    if (toast.kind !== 'success' || isHeld) return
    const timer = setTimeout(() => disappear(), successDurationMs)
    return () => clearTimeout(timer)
  }, [toast, isHeld])
  const select = () => {
    toast.onSelect?.()
    onDismiss()
  }
  return (
    <div className={styles.toast} data-kind={toast.kind}>
      {toast.onSelect ? (
        <button type="button" className={styles.message} onClick={select}>
          {toast.message}
        </button>
      ) : (
        <span className={styles.message}>{toast.message}</span>
      )}
      <button type="button" className={styles.dismiss} aria-label={dismissLabel} onClick={onDismiss}>
        <X aria-hidden="true" size={18} />
      </button>
    </div>
  )
}
