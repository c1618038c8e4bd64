import type L from 'leaflet'

/** Pixels from the edges of the map at which nothing covers a pin: over the map are the zoom and search buttons. */
const clear = { paddingTopLeft: [60, 100], paddingBottomRight: [28, 28] } satisfies L.PanInsideOptions

interface Options {
  map: L.Map
  /** Runs a movement of the map that must not offer a new search. */
  quietly: (move: () => void) => void
}

/**
 * Makes all markers of a map one tab stop (roving tabindex). Left and Right go through the markers in view from west to
 * east, Up and Down from north to south, so that each pair of keys reaches all of them; Home and End go to the ends.
 */
export class RovingMarkers {
  readonly #options: Options
  #markers: readonly L.Marker[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Makes a new marker one of them. Called once for each. */
  add(marker: L.Marker): void {
    const element = marker.getElement()
    element?.addEventListener('keydown', (event) => this.#onKey(marker, event))
    element?.addEventListener('focus', () => {
      this.#stopAt(marker)
      // A pointer presses where the marker is: only the keyboard moves the map.
      if (element.matches(':focus-visible')) this.#reveal(marker)
    })
  }

  /** Sets the markers on the map. The tab stop remains while it is in view; otherwise it is the one nearest to the middle. */
  update(markers: readonly L.Marker[]): void {
    this.#markers = markers
    const { map } = this.#options
    const inView = this.#inView()
    const isStop = (marker: L.Marker) => marker.getElement()?.dataset.stop !== undefined
    const middle = map.getCenter()
    const nearest = inView.reduce<L.Marker | undefined>(
      (best, marker) =>
        best && map.distance(middle, best.getLatLng()) <= map.distance(middle, marker.getLatLng()) ? best : marker,
      undefined,
    )
    this.#stopAt(inView.find(isStop) ?? nearest)
  }

  /** Makes a marker in view the tab stop, unless one of them has the focus. */
  prefer(marker: L.Marker | undefined): void {
    const isFocused = this.#markers.some((other) => other.getElement() === document.activeElement)
    if (!isFocused && marker && this.#inView().includes(marker)) this.#stopAt(marker)
  }

  #stopAt(stop: L.Marker | undefined): void {
    for (const marker of this.#markers) {
      const element = marker.getElement()
      if (!element) continue
      element.tabIndex = marker === stop ? 0 : -1
      element.toggleAttribute('data-stop', marker === stop)
    }
  }

  #inView(): L.Marker[] {
    const view = this.#options.map.getBounds()
    return this.#markers.filter((marker) => view.contains(marker.getLatLng()))
  }

  #reveal(marker: L.Marker): void {
    const { map, quietly } = this.#options
    quietly(() => map.panInside(marker.getLatLng(), { ...clear, animate: false }))
    // The map may be higher than the window.
    marker.getElement()?.scrollIntoView({ block: 'nearest' })
  }

  #onKey(from: L.Marker, event: KeyboardEvent): void {
    const isUpDown = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    const place = (marker: L.Marker) => {
      const { lat, lng } = marker.getLatLng()
      return isUpDown ? [-lat, lng] : [lng, -lat]
    }
    const order = this.#inView().sort((a, b) => {
      const [[first = 0, second = 0], [other = 0, next = 0]] = [place(a), place(b)]
      return first - other || second - next
    })
    const steps: Record<string, number> = {
      ArrowRight: order.indexOf(from) + 1,
      ArrowDown: order.indexOf(from) + 1,
      ArrowLeft: order.indexOf(from) - 1,
      ArrowUp: order.indexOf(from) - 1,
      Home: 0,
      End: order.length - 1,
    }
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    order[step]?.getElement()?.focus({ preventScroll: true })
  }
}
