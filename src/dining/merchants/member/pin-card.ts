import type L from 'leaflet'
import { isPlainClick } from '../../../platform/browser/router/is-plain-click.ts'
import type { Pin } from '../contract.ts'

interface Card {
  label: string
  /** The text of the link to a restaurant. */
  text: string
  /** Earnings and price range. */
  facts: (pin: Pin) => string
  open: (id: string) => void
}

/**
 * Binds a card to a marker: of one restaurant, or of several at one place. When it opens, the focus moves to its first link.
 * Escape closes it and returns the focus to the marker. So does Tab from its last link, and back from its first one: it
 * then continues from the marker, because in the document the card comes after all markers.
 */
export function bindPinCard(marker: L.Marker, pins: readonly Pin[], card: Card): void {
  marker.bindPopup(() => makeCard(marker, pins, card), {
    closeButton: false,
    closeOnEscapeKey: false,
    offset: [0, -20],
    maxHeight: 240,
    autoPanPadding: [24, 24],
  })
  marker.on('popupopen', () => marker.getPopup()?.getElement()?.querySelector('a')?.focus({ preventScroll: true }))
}

/** Makes Enter and Space act as a click on a marker, as its button role requires. */
export function pressByKey(marker: L.Marker): void {
  const element = marker.getElement()
  element?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    element.click()
  })
}

function makeCard(marker: L.Marker, pins: readonly Pin[], card: Card): HTMLElement {
  const box = document.createElement('div')
  box.setAttribute('role', 'dialog')
  box.setAttribute('aria-label', card.label)
  for (const pin of pins) box.append(...partsOf(pin, pins.length > 1, card))
  const links = [...box.querySelectorAll('a')]
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    const last = event.shiftKey ? links[0] : links.at(-1)
    if (event.key === 'Tab' && document.activeElement !== last) return
    // Tab forward continues from the marker without further handling.
    if (event.key === 'Escape' || event.shiftKey) event.preventDefault()
    marker.getElement()?.focus()
    // It stays in the document while it fades.
    for (const link of links) link.tabIndex = -1
    marker.closePopup()
  })
  return box
}

function partsOf(pin: Pin, isOneOfMany: boolean, { text, facts, open }: Card): Node[] {
  const title = document.createElement('strong')
  title.textContent = pin.name
  const line = document.createElement('span')
  line.textContent = facts(pin)
  const link = document.createElement('a')
  link.href = `/merchants/${pin.id}`
  // Among several, the name of each is its link.
  link.append(isOneOfMany ? title : text)
  link.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    open(pin.id)
  })
  const lineBreak = () => document.createElement('br')
  const about = line.textContent === '' ? [] : [line, lineBreak()]
  return isOneOfMany ? [link, lineBreak(), ...about] : [title, lineBreak(), ...about, link]
}
