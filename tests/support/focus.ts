import type { Page } from '@playwright/test'

export interface FocusState {
  /** A number that identifies the element; 0 when nothing has the focus. */
  id: number
  /** Whether it is a frame or a date field, whose parts receive the focus one by one. */
  hasParts: boolean
  html: string
  /** The element that covers it completely; null if a part is visible. */
  coveredBy: string | null
  /** The contrast of its ring against the background of half of it; null over an image or a map, 0 without a ring. */
  contrast: number | null
  /** The smaller side of the target area, in pixels; null for a link within a text. */
  size: number | null
}

/** Inspects the focused element, once the page has settled. */
export function inspectFocus(page: Page): Promise<FocusState> {
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
      // The label of a checkbox or a field is part of its target area.
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

    /** Returns the color at a point; null over an image and outside the window. */
    function backgroundAt(x: number, y: number): string | null {
      for (let at = document.elementFromPoint(x, y); at; at = at.parentElement) {
        if (at instanceof HTMLImageElement || at instanceof HTMLCanvasElement || at.closest('svg, .leaflet-container'))
          return null
        const { backgroundColor, backgroundImage, position } = getComputedStyle(at)
        // A bar that covers a side of the ring is not its background.
        if (/fixed|sticky/.test(position) && !at.contains(element)) return null
        if (backgroundImage !== 'none') return null
        if (!/, 0(\.\d+)?\)$/.test(backgroundColor)) return backgroundColor
      }
      return null
    }

    function ringContrast(target: Element): number | null {
      const ring = ringOf(target)
      // The button of a date field draws its own ring within the field.
      if (!ring) return target.matches('input[type=date]') ? null : 0
      const { box } = ring
      const out = ring.offset < 0 ? ring.offset + 1 : ring.offset + 1.5
      const backgrounds = [
        backgroundAt(box.left - out, box.top + box.height / 2),
        backgroundAt(box.right + out, box.top + box.height / 2),
        backgroundAt(box.left + box.width / 2, box.top - out),
        backgroundAt(box.left + box.width / 2, box.bottom + out),
      ].filter((background) => background !== null)
      const light = (color: string) => {
        const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
      }
      if (backgrounds.length === 0) return null
      const contrasts = backgrounds.map((background) => {
        const [a, b] = [light(ring.color), light(background)]
        return Math.max(a, b) / Math.min(a, b)
      })
      // A neighboring element may be below one or two sides.
      return contrasts.sort((a, b) => b - a)[Math.floor((contrasts.length - 1) / 2)] ?? null
    }
  })
}

/** More stops than any page has. */
const maxStops = 300
/** A card form has this many controls within its frame, and a date field has fewer. */
const maxParts = 6

/**
 * Walks over a page with the Tab key, forward or backward, and returns the problems: where the focus stays, never
 * reaches the end, is covered, has no visible ring, or has a target that is too small.
 */
export async function walkPage(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = []
  const visited = new Set<number>()
  let last = 0
  let part = 0
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press(key)
    const { id, hasParts, html, coveredBy, contrast, size } = await inspectFocus(page)
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
