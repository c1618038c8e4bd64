import { useEffect } from 'react'

/**
 * Retains the keyboard position. When the focused element is removed, the focus moves to the heading of the part that
 * contained it, or to the main area; the browser would reset it to the body.
 */
export function useRetainedFocus(): void {
  useEffect(() => {
    let path: Element[] = []
    const enter = ({ target }: FocusEvent) => {
      path = target instanceof Element ? pathOf(target) : []
    }
    // A click outside of controls removes the focus on purpose: the element still exists.
    const leave = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (path[0] === target && path[0]?.isConnected) path = []
      })
    const changed = new MutationObserver(() => {
      if (path[0] === undefined || path[0].isConnected) return
      const left = path.find((element) => element.isConnected)
      path = []
      if (document.activeElement === document.body) focusWithin(left)
    })
    changed.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', enter)
    document.addEventListener('focusout', leave)
    return () => {
      changed.disconnect()
      document.removeEventListener('focusin', enter)
      document.removeEventListener('focusout', leave)
    }
  }, [])
}

function pathOf(element: Element): Element[] {
  const path: Element[] = []
  for (let at: Element | null = element; at; at = at.parentElement) path.push(at)
  return path
}

function focusWithin(part: Element | undefined): void {
  const main = document.getElementById('main')
  for (let at = part; at && at !== main && at !== document.body; at = at.parentElement ?? undefined) {
    const heading = at.querySelector<HTMLElement>('h1, h2, h3, h4')
    if (!heading) continue
    heading.tabIndex = -1
    heading.focus()
    return
  }
  main?.focus({ preventScroll: true })
}
