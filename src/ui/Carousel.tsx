import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Children, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './Carousel.module.css'

interface Props {
  label: string
  previousLabel: string
  nextLabel: string
  children: ReactNode
}

/** A row that scrolls and snaps; the buttons rest at its ends. */
export function Carousel({ label, previousLabel, nextLabel, children }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ first: true, last: false })
  const measure = () => {
    const element = track.current
    if (!element) return
    const { scrollLeft, scrollWidth, clientWidth } = element
    setEnds({ first: scrollLeft <= 1, last: scrollLeft + clientWidth >= scrollWidth - 1 })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured once, when it is laid out
  useEffect(() => measure(), [])
  const move = (pages: number) =>
    track.current?.scrollBy({ left: pages * track.current.clientWidth * 0.8, behavior: 'smooth' })
  return (
    <div className={styles.carousel}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul ref={track} className={styles.track} onScroll={measure} aria-label={label} tabIndex={0}>
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <button type="button" aria-label={previousLabel} disabled={ends.first} onClick={() => move(-1)}>
          <ChevronLeft aria-hidden="true" />
        </button>
        <button type="button" aria-label={nextLabel} disabled={ends.last} onClick={() => move(1)}>
          <ChevronRight aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}
