import X from 'lucide-react/icons/x'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import styles from './Toasts.module.css'

export interface Toast {
  /** A toast with the same id replaces the earlier one. */
  id?: string
  kind: 'success' | 'error' | 'warning'
  message: string
  onSelect?: () => void
}

interface Toasts {
  show: (toast: Toast) => void
}

const ToastContext = createContext<Toasts>({ show: () => {} })
/** Success toasts disappear after this time (milliseconds); others stay until dismissed. */
const successDurationMs = 3000
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
  const value = useMemo<Toasts>(
    () => ({
      show(toast) {
        const key = ++count
        const shown = { ...toast, id: toast.id ?? `toast-${key}`, key }
        setToasts((before) => [...before.filter(({ id }) => id !== shown.id), shown])
      },
    }),
    [],
  )
  const dismiss = (id: string) => setToasts((before) => before.filter((toast) => toast.id !== id))
  return (
    <ToastContext value={value}>
      {/* Before the page in DOM order: keyboard and screen reader users would find a toast below it too late. */}
      <section className={styles.region} aria-label={regionLabel}>
        {toasts.map((toast) => (
          // One that replaces another has a time of its own.
          <ToastLine key={toast.key} toast={toast} dismissLabel={dismissLabel} onDismiss={() => dismiss(toast.id)} />
        ))}
      </section>
      {children}
    </ToastContext>
  )
}

function ToastLine({ toast, dismissLabel, onDismiss }: { toast: Shown; dismissLabel: string; onDismiss: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: set once, when the toast appears
  useEffect(() => {
    if (toast.kind !== 'success') return
    const timer = setTimeout(onDismiss, successDurationMs)
    return () => clearTimeout(timer)
  }, [])
  const select = () => {
    toast.onSelect?.()
    onDismiss()
  }
  return (
    <div className={styles.toast} data-kind={toast.kind} role={toast.kind === 'error' ? 'alert' : 'status'}>
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
