import type L from 'leaflet'
import { isPlainClick } from '../../../platform/browser/router/is-plain-click.ts'
import type { Pin } from '../contract.ts'

interface See {
  text: string
  /** Earnings and price range. */
  facts: string
  open: () => void
}

/**
 * Binds a card to a pin. When it opens, the focus moves to the card's link. Escape closes it and returns the focus to
 * the pin. So does Tab, which then continues from the pin, because in the document the card comes after all pins.
 */
export function bindPinCard(marker: L.Marker, pin: Pin, see: See): void {
  marker.bindPopup(() => makeCard(marker, pin, see), {
    closeButton: false,
    closeOnEscapeKey: false,
    offset: [0, -20],
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

function makeCard(marker: L.Marker, { id, name }: Pin, see: See): HTMLElement {
  const card = document.createElement('div')
  card.setAttribute('role', 'dialog')
  card.setAttribute('aria-label', name)
  const title = document.createElement('strong')
  title.textContent = name
  const facts = document.createElement('span')
  facts.textContent = see.facts
  const link = document.createElement('a')
  link.href = `/merchants/${id}`
  link.textContent = see.text
  link.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    see.open()
  })
  card.append(title, document.createElement('br'))
  if (see.facts !== '') card.append(facts, document.createElement('br'))
  card.append(link)
  card.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    // Tab forward continues from the pin without further handling.
    if (event.key === 'Escape' || event.shiftKey) event.preventDefault()
    marker.getElement()?.focus()
    marker.closePopup()
  })
  return card
}
