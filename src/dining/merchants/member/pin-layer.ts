import L from 'leaflet'
import type { Pin } from '../contract.ts'
import { groupPins, type PinGroup } from './group-pins.ts'
import { labelsAbove } from './map-base.ts'
import { bindPinCard, pressByKey } from './pin-card.ts'
import styles from './ResultMap.module.css'
import { RovingMarkers } from './roving-markers.ts'

interface Options {
  open: (id: string) => void
  point: (id: string | null) => void
  /** Stores the restaurant that was chosen. */
  choose: (id: string) => void
  /** Runs a movement of the map that must not offer a new search. */
  quietly: (move: () => void) => void
  messages: {
    cluster: (count: number) => string
    /** Names restaurants that no zoom level separates. */
    together: (count: number) => string
    see: string
    facts: (pin: Pin) => string
  }
}

/** Zoom level from which neighborhoods have names. */
const namesFrom = 12
/** Icons of pins and clusters fit into this, with some space between them (pixels). */
const iconSpace = { width: 42, height: 52 }
export const maxZoom = 17

/** Pins of restaurants on a map; overlapping ones become a cluster with their count. */
export class PinLayer {
  readonly #map: L.Map
  readonly #options: Options
  readonly #layer: L.LayerGroup
  readonly #roving: RovingMarkers
  /** The marker of each restaurant: its pin or its cluster. */
  readonly #drawn = new Map<string, L.Marker>()
  /** Markers on the map. Redrawing reuses existing markers, so that the focus stays. */
  #markers = new Map<string, L.Marker>()
  /** Restaurants of a cluster that was opened by keyboard: their first marker gets the focus. */
  #opened: readonly string[] = []
  #pins: readonly Pin[] = []
  /** The groups of all pins at each zoom level. */
  readonly #groups = new Map<number, PinGroup[]>()
  #pointed: string | null = null
  #listed: ReadonlySet<string> = new Set()
  #places = new Map<string, L.LatLng>()

  constructor(map: L.Map, options: Options) {
    this.#map = map
    this.#options = options
    this.#layer = L.layerGroup().addTo(map)
    this.#roving = new RovingMarkers({ map, quietly: options.quietly })
    map.on('moveend', () => this.#draw())
  }

  /** `listed` are the restaurants in the list; other pins are dimmed. */
  show(pins: readonly Pin[], listed: ReadonlySet<string>): void {
    this.#listed = listed
    this.#pins = pins
    this.#groups.clear()
    this.#places = middlesOf(pins)
    this.#draw()
  }

  /** Highlights the pin of a restaurant; null removes the highlight. */
  point(id: string | null): void {
    this.#mark(false)
    this.#pointed = id
    this.#mark(true)
    this.#roving.prefer(this.#pointedMarker())
  }

  #mark(on: boolean): void {
    const pin = this.#pointedMarker()
    pin?.getElement()?.toggleAttribute('data-chosen', on)
    pin?.setZIndexOffset(on ? 1000 : 0)
  }

  #pointedMarker(): L.Marker | undefined {
    return this.#pointed === null ? undefined : this.#drawn.get(this.#pointed)
  }

  #groupsAt(zoom: number): PinGroup[] {
    const known = this.#groups.get(zoom)
    if (known) return known
    const points = this.#pins.map(({ latitude, longitude }) => this.#map.project([latitude, longitude], zoom))
    const groups = groupPins(points, iconSpace)
    this.#groups.set(zoom, groups)
    return groups
  }

  #draw(): void {
    const before = this.#markers
    this.#markers = new Map()
    this.#drawn.clear()
    const bounds = this.#map.getBounds().pad(0.2)
    const zoom = Math.round(this.#map.getZoom())
    const shown: L.Marker[] = []
    for (const { x, y, members } of this.#groupsAt(zoom)) {
      const at = this.#map.unproject([x, y], zoom)
      if (!bounds.contains(at)) continue
      const pins = members.map((index) => this.#pins[index]).filter((pin) => pin !== undefined)
      const [first] = pins
      if (!first) continue
      shown.push(pins.length === 1 ? this.#pin(before, first) : this.#cluster(before, at, pins))
    }
    if (zoom >= namesFrom) this.#drawPlaces(before)
    this.#removeLeft(before)
    this.#roving.update(shown)
    this.#mark(true)
    this.#focusOpened()
  }

  #removeLeft(before: ReadonlyMap<string, L.Marker>): void {
    for (const [key, marker] of before) {
      if (this.#markers.get(key) === marker) continue
      const held = [marker.getElement(), marker.getPopup()?.getElement()]
      if (held.some((element) => element?.contains(document.activeElement))) this.#map.getContainer().focus()
      this.#layer.removeLayer(marker)
    }
  }

  #focusOpened(): void {
    const first = this.#opened.map((id) => this.#drawn.get(id)).find((marker) => marker !== undefined)
    this.#opened = []
    first?.getElement()?.focus()
  }

  /** Returns the existing marker of this key, or a new one. */
  #take(before: ReadonlyMap<string, L.Marker>, key: string, make: () => L.Marker): L.Marker {
    const marker = before.get(key) ?? make()
    this.#markers.set(key, marker)
    return marker
  }

  // Draws neighborhood names at the middle of their restaurants, for orientation.
  #drawPlaces(before: ReadonlyMap<string, L.Marker>): void {
    for (const [name, middle] of this.#places) {
      this.#take(before, `place ${name} ${middle}`, () => {
        const label = document.createElement('span')
        label.textContent = name
        const icon = L.divIcon({ className: styles.place ?? '', html: label, iconSize: [0, 0] })
        return L.marker(middle, { icon, interactive: false, keyboard: false, zIndexOffset: labelsAbove }).addTo(
          this.#layer,
        )
      })
    }
  }

  #pin(before: ReadonlyMap<string, L.Marker>, pin: Pin): L.Marker {
    const listed = this.#listed.has(pin.id)
    const marker = this.#take(before, `pin ${pin.id} ${pin.latitude} ${pin.longitude}`, () => this.#makePin(pin))
    marker.getElement()?.classList.toggle(styles.unlisted ?? '', !listed)
    this.#drawn.set(pin.id, marker)
    return marker
  }

  #makePin(pin: Pin): L.Marker {
    const icon = L.divIcon({ className: styles.pin ?? '', iconSize: [28, 28], iconAnchor: [14, 30] })
    const place: [number, number] = [pin.latitude, pin.longitude]
    const marker = L.marker(place, { icon, title: pin.name, keyboard: true, autoPanOnFocus: false })
    this.#bindCard(marker, pin.name, [pin])
    marker.on('mouseover', () => this.#options.point(pin.id))
    marker.on('click', () => {
      this.#options.point(pin.id)
      this.#options.choose(pin.id)
    })
    this.#add(marker)
    const element = marker.getElement()
    element?.setAttribute('data-pin', pin.id)
    element?.addEventListener('focus', () => this.#options.point(pin.id))
    return marker
  }

  #bindCard(marker: L.Marker, label: string, pins: readonly Pin[]): void {
    const { messages, open, choose } = this.#options
    const openPage = (id: string) => {
      choose(id)
      open(id)
    }
    bindPinCard(marker, pins, { label, text: messages.see, facts: messages.facts, open: openPage })
  }

  #add(marker: L.Marker): void {
    marker.addTo(this.#layer)
    pressByKey(marker)
    this.#roving.add(marker)
  }

  #cluster(before: ReadonlyMap<string, L.Marker>, at: L.LatLng, pins: readonly Pin[]): L.Marker {
    const held = pins.map(({ id }) => id)
    const isOnePlace = this.#isOneGroup(pins, maxZoom)
    const key = `cluster ${isOnePlace} ${at.lat} ${at.lng} ${held.join()}`
    const marker = this.#take(before, key, () => this.#makeCluster(at, pins, isOnePlace))
    for (const id of held) this.#drawn.set(id, marker)
    return marker
  }

  #isOneGroup(pins: readonly Pin[], zoom: number): boolean {
    const indexes = pins.map((pin) => this.#pins.indexOf(pin))
    const group = this.#groupsAt(zoom).find(({ members }) => members.includes(indexes[0] ?? -1))
    return indexes.every((index) => group?.members.includes(index))
  }

  #makeCluster(at: L.LatLng, pins: readonly Pin[], isOnePlace: boolean): L.Marker {
    const number = document.createElement('span')
    number.textContent = String(pins.length)
    const icon = L.divIcon({ className: styles.cluster ?? '', html: number, iconSize: [38, 38] })
    const { cluster, together } = this.#options.messages
    const title = isOnePlace ? together(pins.length) : cluster(pins.length)
    const marker = L.marker(at, { icon, title, keyboard: true, autoPanOnFocus: false })
    if (isOnePlace) this.#bindCard(marker, title, pins)
    else {
      marker.on('click', () => {
        if (document.activeElement === marker.getElement()) this.#opened = pins.map(({ id }) => id)
        let zoom = Math.round(this.#map.getZoom()) + 1
        while (zoom < maxZoom && this.#isOneGroup(pins, zoom)) zoom++
        this.#map.setView(at, zoom)
      })
    }
    this.#add(marker)
    // Otherwise the accessible name would be only a number.
    marker.getElement()?.setAttribute('aria-label', title)
    return marker
  }
}

function middlesOf(pins: readonly Pin[]): Map<string, L.LatLng> {
  const points = Map.groupBy(pins, ({ place }) => place)
  return new Map(
    [...points].map(([place, there]) => [
      place,
      L.latLngBounds(there.map(({ latitude, longitude }) => L.latLng(latitude, longitude))).getCenter(),
    ]),
  )
}
