import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Children, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './Carousel.module.css'

/** Snapping rests within the padding of the row: pixels. */
const edge = 8
/** A press of a button moves by this share of what is seen, so that something seen stays seen. */
const step = 0.8

interface Props {
  label: string
  previousLabel: string
  nextLabel: string
  /** Shows how far along the row one is. */
  dots?: boolean
  children: ReactNode
}

/** A row that scrolls and snaps; the buttons rest at its ends, where they keep the focus. */
export function Carousel({ label, previousLabel, nextLabel, dots = false, children }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ first: true, last: false, page: 0, pages: 1 })
  const measure = () => {
    const element = track.current
    if (!element) return
    const { scrollLeft, scrollWidth, clientWidth } = element
    const last = scrollLeft + clientWidth >= scrollWidth - edge
    const pages = Math.max(1, Math.ceil((scrollWidth - 1) / (clientWidth * step)) || 1)
    const page = last ? pages - 1 : Math.min(pages - 1, Math.round(scrollLeft / (clientWidth * step)))
    setEnds({ first: scrollLeft <= edge, last, page, pages })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured once, when it is laid out
  useEffect(() => measure(), [])
  const move = (pages: number) => {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
    track.current?.scrollBy({ left: pages * track.current.clientWidth * step, behavior })
  }
  return (
    <div className={styles.carousel}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul ref={track} className={styles.track} onScroll={measure} aria-label={label} tabIndex={0}>
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        {dots && ends.pages > 1 && (
          <span className={styles.dots} aria-hidden="true">
            {Array.from({ length: ends.pages }, (_, page) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: dots are their places
              <span key={page} data-here={page === ends.page || undefined} />
            ))}
          </span>
        )}
        <button
          type="button"
          aria-label={previousLabel}
          aria-disabled={ends.first}
          onClick={() => ends.first || move(-1)}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
        <button type="button" aria-label={nextLabel} aria-disabled={ends.last} onClick={() => ends.last || move(1)}>
          <ChevronRight aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}
