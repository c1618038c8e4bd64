// These functions run in pages: they are sent as text, so they use nothing of their scope.

export type Role = 'link' | 'button' | 'textbox' | 'checkbox'

export interface Target {
  role: Role
  /** Part of the accessible name. An exact match is preferred. */
  name: string
  /** CSS selector of an ancestor. */
  within?: string
  /** Title of the frame that has it. */
  frame?: string
}

/** Returns the middle of a control that can be used now, in the window of its document; or why there is none. */
export function locate({ role, name, within = 'html', frame }: Target): { x: number; y: number } | string {
  const selectors = {
    link: 'a[href]',
    button: 'button, summary',
    textbox: 'input:not([type=checkbox], [type=radio]), textarea',
    checkbox: 'input[type=checkbox]',
  }
  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => {
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    const label = element.getAttribute('aria-label') ?? labels.map((each) => plain(each.textContent)).join(' ')
    return label || plain(element.textContent)
  }
  const visible = [...document.querySelectorAll(within)]
    .flatMap((area) => [...area.querySelectorAll(selectors[role])])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  const element = visible.find((each) => nameOf(each) === name) ?? visible.find((each) => nameOf(each).includes(name))
  if (!element) return `no ${role} "${name}", but: ${visible.map(nameOf).join(' | ')}`
  if (element.matches(':disabled')) return `the ${role} "${name}" is disabled`
  const isHydrated = Object.keys(element).some((key) => key.startsWith('__reactProps'))
  // A frame has no React. A link works before hydration.
  if (frame === undefined && role !== 'link' && !isHydrated) return `the ${role} "${name}" is not hydrated`
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = element.getClientRects()[0]
  if (!box) return `the ${role} "${name}" has no box`
  const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
  const hit = document.elementFromPoint(point.x, point.y)
  if (!hit || !element.contains(hit)) return `the ${role} "${name}" is covered by ${hit?.outerHTML.slice(0, 120)}`
  return point
}

/** Scrolls a frame into view and returns its place, or null while there is none. */
export function locateFrame(title: string): { x: number; y: number } | null {
  const frame = document.querySelector(`iframe[title=${JSON.stringify(title)}]`)
  if (!frame) return null
  frame.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y } = frame.getBoundingClientRect()
  return { x: x + frame.clientLeft, y: y + frame.clientTop }
}

/** Returns whether the page has been drawn in this width: media queries and layout follow the width later. */
export function hasDrawn(width: number): boolean {
  const page = window as unknown as { drawnWidth?: number }
  if (innerWidth !== width) return false
  if (page.drawnWidth === width) return true
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      page.drawnWidth = innerWidth
    }),
  )
  return false
}

/** Returns the address of a frame. */
export function frameAddress(title: string): string | null {
  return document.querySelector<HTMLIFrameElement>(`iframe[title=${JSON.stringify(title)}]`)?.src ?? null
}

/** Logs violations of the content policy as errors. */
export function reportPolicyViolations(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`content policy: ${violatedDirective} ${blockedURI}`),
  )
}

/** Returns the errors since the last call. The first call in a page starts to collect them. */
export function takeErrors(): string[] {
  const page = window as unknown as { testErrors?: string[] }
  if (!page.testErrors) {
    const errors: string[] = []
    page.testErrors = errors
    addEventListener('error', ({ message }) => errors.push(message))
    addEventListener('unhandledrejection', ({ reason }) => errors.push(`unhandled: ${reason}`))
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      errors.push(`content policy: ${violatedDirective} ${blockedURI}`),
    )
    const log = console.error
    console.error = (...values: unknown[]) => {
      errors.push(values.map(String).join(' '))
      log(...values)
    }
  }
  return page.testErrors.splice(0)
}
