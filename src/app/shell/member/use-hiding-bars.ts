import { useEffect } from 'react'

/** Minimum scroll distance in pixels, because touch input is unsteady. */
const slack = 8

/** Marks the document while it is scrolled down, so that the bars can hide on small screens. */
export function useHidingBars(): void {
  useEffect(() => {
    const { documentElement: root } = document
    let last = window.scrollY
    const onScroll = () => {
      const now = Math.max(0, window.scrollY)
      if (Math.abs(now - last) < slack) return
      const down = now > last && now > 64
      last = now
      if (down) root.dataset.bars = 'hidden'
      else delete root.dataset.bars
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      delete root.dataset.bars
    }
  }, [])
}
