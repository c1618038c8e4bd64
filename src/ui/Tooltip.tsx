import { Info } from 'lucide-react'
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './Tooltip.module.css'

/** Minimum distance from the window's edge, in pixels. */
const margin = 8

/** An icon with an explanation on hover, focus or touch; Escape hides it. */
export function Tooltip({ label, text }: { label: string; text: string }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const words = useRef<HTMLSpanElement>(null)
  useKeptInWindow(words, open)
  return (
    <span className={styles.place} onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        type="button"
        className={styles.sign}
        aria-label={label}
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        <Info aria-hidden="true" size={18} />
      </button>
      <span ref={words} id={id} role="tooltip" className={styles.words} data-open={open}>
        {text}
      </span>
    </span>
  )
}

/** Moves the open tooltip sideways into the window. */
function useKeptInWindow(words: RefObject<HTMLElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    const element = words.current
    if (!element || !open) return
    element.style.translate = ''
    const { left, right } = element.getBoundingClientRect()
    const most = document.documentElement.clientWidth - margin
    const shift = left < margin ? margin - left : Math.min(0, most - right)
    if (shift !== 0) element.style.translate = `${shift}px`
  }, [words, open])
}
