import { useEffect } from 'react'

/** A finger is not steady: less than this is no scrolling. Pixels. */
const slack = 8

/** Marks the document while the reader scrolls down, so that on small screens the bars can make room. */
export function useHidingBars(): void {
  useEffect(() => {
    const { documentElement: root } = document
    let last = window.scrollY
    const follow = () => {
      const now = Math.max(0, window.scrollY)
      if (Math.abs(now - last) < slack) return
      const down = now > last && now > 64
      last = now
      if (down) root.dataset.bars = 'hidden'
      else delete root.dataset.bars
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => {
      window.removeEventListener('scroll', follow)
      delete root.dataset.bars
    }
  }, [])
}
