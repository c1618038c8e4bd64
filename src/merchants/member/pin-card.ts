import type L from 'leaflet'
import type { Pin } from '../contract.ts'

interface See {
  text: string
  /** What a meal there earns and costs. */
  facts: string
  open: () => void
}

/**
 * Gives a pin its card. The focus moves to the card's link when it opens. Escape closes it and gives the focus back to
 * the pin; so does Tab, which then goes on from the pin: in the document the card comes after all pins.
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

/** Makes Enter and Space act as a click on a marker, as its role of a button promises. */
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
    event.preventDefault()
    see.open()
  })
  card.append(title, document.createElement('br'))
  if (see.facts !== '') card.append(facts, document.createElement('br'))
  card.append(link)
  card.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    // A Tab forward goes on from the pin by itself.
    if (event.key === 'Escape' || event.shiftKey) event.preventDefault()
    marker.getElement()?.focus()
    marker.closePopup()
  })
  return card
}
