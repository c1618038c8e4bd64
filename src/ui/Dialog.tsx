import X from 'lucide-react/icons/x'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import styles from './Dialog.module.css'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  closeLabel: string
  children: ReactNode
}

/** Clicks that follow each other within this time are one double click. */
const doubleClickMs = 500

/** The native modal dialog: it traps the focus, closes on Escape and restores the focus. */
export function Dialog({ open, onClose, title, closeLabel, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const clickedAt = useRef(Number.NEGATIVE_INFINITY)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    element.showModal()
    // Also on unmount: only a closed dialog restores the focus.
    return () => element.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click handler is for the backdrop
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      // Ignored when the dialog was reopened meanwhile.
      onClose={() => dialog.current?.open || onClose()}
      onClick={({ target, timeStamp }) => {
        if (target !== dialog.current) clickedAt.current = timeStamp
        // The second click of a double one may land beside a dialog that the first one has made smaller.
        else if (timeStamp - clickedAt.current > doubleClickMs) onClose()
      }}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          <button type="button" className={styles.close} aria-label={closeLabel} onClick={onClose}>
            <X aria-hidden="true" size={20} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
