import type { Page } from '@playwright/test'

export interface FocusLook {
  /** A number for the element, the same whenever it has the focus; 0 when nothing has it. */
  id: number
  /** Whether it is a frame or a date, whose own parts have the focus one by one. */
  hasParts: boolean
  html: string
  /** What lies over the whole of it; null when some of it is seen. */
  coveredBy: string | null
  /** The contrast of its ring against what lies below half of it; null over a picture or a map, 0 without a ring. */
  contrast: number | null
  /** The smaller side of what one can hit, in pixels; null for a link within a text. */
  size: number | null
}

/** Looks at what has the focus, once the page has settled. */
export function lookAtFocus(page: Page): Promise<FocusLook> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const element = document.activeElement
    if (!element || element === document.body)
      return { id: 0, hasParts: false, html: '', coveredBy: null, contrast: null, size: null }
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const [x, middle] = [(left + right) / 2, (top + bottom) / 2]
    const seen = [
      [x, middle],
      [x, top + 3],
      [x, bottom - 3],
      [left + 3, middle],
      [right - 3, middle],
    ].some(([at = 0, down = 0]) => {
      const over = document.elementFromPoint(at, down)
      return over !== null && (element.contains(over) || over.contains(element))
    })
    const over = document.elementFromPoint(x, middle)?.outerHTML.slice(0, 120) ?? 'the edge of the window'
    return {
      id: idOf(element),
      hasParts: element.matches('iframe, input[type=date]'),
      html: element.outerHTML.slice(0, 160),
      coveredBy: seen ? null : over,
      // Within a frame, its own controls have the ring.
      contrast: element.matches('iframe') ? null : ringContrast(element),
      size: sizeOf(element),
    }

    function sizeOf(target: Element): number | null {
      // The label of a tick or a field is part of its target.
      const hit = target.closest('label') ?? target
      if (getComputedStyle(hit).display === 'inline') return null
      const { width, height } = hit.getBoundingClientRect()
      return Math.min(width, height)
    }

    function idOf(target: Element): number {
      const known = window as unknown as { focused?: Element[] }
      known.focused ??= []
      const index = known.focused.indexOf(target)
      return index === -1 ? known.focused.push(target) : index + 1
    }

    /** The ring may be drawn by a part of the element, or by the card around it. */
    function ringOf(target: Element): { color: string; box: DOMRect; offset: number } | null {
      for (let at: Element | null = target, step = 0; at && step < 5; at = at.parentElement, step++) {
        for (const part of [null, '::after']) {
          const { outlineColor, outlineStyle, outlineOffset } = getComputedStyle(at, part)
          if (outlineStyle === 'none' || outlineStyle === '') continue
          return { color: outlineColor, box: at.getBoundingClientRect(), offset: Number.parseFloat(outlineOffset) }
        }
      }
      return null
    }

    /** The color of what is drawn at a point; null over a picture and outside the window. */
    function groundAt(x: number, y: number): string | null {
      for (let at = document.elementFromPoint(x, y); at; at = at.parentElement) {
        if (at instanceof HTMLImageElement || at instanceof HTMLCanvasElement || at.closest('svg, .leaflet-container'))
          return null
        const { backgroundColor, backgroundImage, position } = getComputedStyle(at)
        // A bar that lies over a side of the ring is not the ground of it.
        if (/fixed|sticky/.test(position) && !at.contains(element)) return null
        if (backgroundImage !== 'none') return null
        if (!/, 0(\.\d+)?\)$/.test(backgroundColor)) return backgroundColor
      }
      return null
    }

    function ringContrast(target: Element): number | null {
      const ring = ringOf(target)
      // The button of a date draws a ring of its own, within the field.
      if (!ring) return target.matches('input[type=date]') ? null : 0
      const { box } = ring
      const out = ring.offset < 0 ? ring.offset + 1 : ring.offset + 1.5
      const grounds = [
        groundAt(box.left - out, box.top + box.height / 2),
        groundAt(box.right + out, box.top + box.height / 2),
        groundAt(box.left + box.width / 2, box.top - out),
        groundAt(box.left + box.width / 2, box.bottom + out),
      ].filter((ground) => ground !== null)
      const light = (color: string) => {
        const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
      }
      if (grounds.length === 0) return null
      const contrasts = grounds.map((ground) => {
        const [a, b] = [light(ring.color), light(ground)]
        return Math.max(a, b) / Math.min(a, b)
      })
      // A neighbor may lie below a side or two.
      return contrasts.sort((a, b) => b - a)[Math.floor((contrasts.length - 1) / 2)] ?? null
    }
  })
}

/** More than any page has. */
const maxStops = 300
/** A card form has so many controls within its frame, and a date fewer. */
const maxParts = 6

/**
 * Walks over a page with the Tab key, from its start to its end or back, and returns what is wrong on the way: where
 * the focus stays, comes round without an end, is covered, has no ring that is seen, or is too small to hit.
 */
export async function walkPage(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = []
  const visited = new Set<number>()
  let last = 0
  let part = 0
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press(key)
    const { id, hasParts, html, coveredBy, contrast, size } = await lookAtFocus(page)
    if (id === 0) return { stops, wrong }
    if (hasParts && id === last && ++part < maxParts) continue
    if (id === last) return { stops, wrong: [...wrong, `${key} stays on ${html}`] }
    if (visited.has(id)) return { stops, wrong: [...wrong, `${key} comes round to ${html}`] }
    visited.add(id)
    part = 0
    last = id
    if (coveredBy !== null) wrong.push(`${key}: ${html} is covered by ${coveredBy}`)
    if (size !== null && size < 24) wrong.push(`${key}: ${html} is only ${Math.round(size)} px in size`)
    if (contrast !== null && contrast < 3) wrong.push(`${key}: the ring of ${html} has ${contrast.toFixed(2)}:1`)
  }
  return { stops: maxStops, wrong: [...wrong, `${key} found no end`] }
}
