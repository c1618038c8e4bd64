import { Info } from 'lucide-react'
import { useId, useState } from 'react'
import styles from './Tooltip.module.css'

/** A sign that explains itself to whoever points at it, focuses it or touches it; Escape takes the words away. */
export function Tooltip({ label, text }: { label: string; text: string }) {
  const id = useId()
  const [open, setOpen] = useState(false)
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
      <span id={id} role="tooltip" className={styles.words} data-open={open}>
        {text}
      </span>
    </span>
  )
}
