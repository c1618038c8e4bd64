import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Children, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import styles from './Carousel.module.css'

/** Tolerance of scroll snapping, in pixels: the padding of the row. */
const edge = 8
/** Share of the visible width that a button scrolls, so that some items stay visible. */
const step = 0.8

interface Props {
  label: string
  previousLabel: string
  nextLabel: string
  /** Shows the scroll position. */
  dots?: boolean
  children: ReactNode
}

/**
 * A row that scrolls and snaps. Buttons at its ends are disabled by aria-disabled only, so that they retain the focus.
 */
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
  const count = Children.count(children)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `measure` reads and sets nothing of a rendering; items are added later
  useEffect(() => {
    // Called after layout: an effect would force one, of the whole page.
    const observer = new ResizeObserver(measure)
    const { current } = track
    if (current) observer.observe(current)
    // The row itself keeps its size when items are added.
    if (current?.lastElementChild) observer.observe(current.lastElementChild)
    return () => observer.disconnect()
  }, [count])
  const move = (pages: number) => {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
    track.current?.scrollBy({ left: pages * track.current.clientWidth * step, behavior })
  }
  return (
    <div className={styles.carousel}>
      <ul
        ref={track}
        className={styles.track}
        onScroll={measure}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
      >
        {Children.map(children, (child) => (
          // Hydrated one by one, so that a page with many cards responds in between.
          <li>
            <Suspense>{child}</Suspense>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        {dots && ends.pages > 1 && (
          <span className={styles.dots} aria-hidden="true">
            {Array.from({ length: ends.pages }, (_, page) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: dots are identified by position
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
