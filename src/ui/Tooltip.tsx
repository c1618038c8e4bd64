import Info from 'lucide-react/icons/info'
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './Tooltip.module.css'

/** Minimum distance from the window's edge, in pixels. */
const margin = 8

/** An icon with an explanation on hover, focus or touch; Escape hides it. */
export function Tooltip({ label, text }: { label: string; text: string }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const tooltip = useRef<HTMLSpanElement>(null)
  useShiftIntoWindow(tooltip, open)
  return (
    <span className={styles.place} onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        type="button"
        className={styles.icon}
        aria-label={label}
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        <Info aria-hidden="true" size={18} />
      </button>
      <span ref={tooltip} id={id} role="tooltip" className={styles.bubble} data-open={open}>
        {text}
      </span>
    </span>
  )
}

/** Moves the open tooltip sideways into the window. */
function useShiftIntoWindow(tooltip: RefObject<HTMLElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    const element = tooltip.current
    if (!element || !open) return
    element.style.translate = ''
    const { left, right } = element.getBoundingClientRect()
    const maxRight = document.documentElement.clientWidth - margin
    const shift = left < margin ? margin - left : Math.min(0, maxRight - right)
    if (shift !== 0) element.style.translate = `${shift}px`
  }, [tooltip, open])
}
