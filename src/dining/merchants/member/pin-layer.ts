import L from 'leaflet'
import Supercluster from 'supercluster'
import type { Pin } from '../contract.ts'
import { labelsAbove } from './map-base.ts'
import { bindPinCard, pressByKey } from './pin-card.ts'
import styles from './ResultMap.module.css'

interface Options {
  open: (id: string) => void
  point: (id: string | null) => void
  messages: { cluster: (count: number) => string; see: string; facts: (pin: Pin) => string }
}

/** Zoom level from which neighborhoods have names. */
const namesFrom = 12
/** Radius in pixels within which pins are clustered. */
const clusterRadius = 44
const noClusterFrom = 16

/** Pins of restaurants on a map; overlapping ones become a cluster with their count. */
export class PinLayer {
  readonly #map: L.Map
  readonly #options: Options
  readonly #layer: L.LayerGroup
  /** The marker of each restaurant: its pin or its cluster. */
  readonly #drawn = new Map<string, L.Marker>()
  /** Markers on the map. Redrawing reuses existing markers, so that the focus stays. */
  #markers = new Map<string, L.Marker>()
  /** Restaurants of a cluster that was opened by keyboard: their first marker gets the focus. */
  #opened: readonly string[] = []
  #clusters = new Supercluster<{ pin: Pin }>({ radius: clusterRadius, maxZoom: noClusterFrom })
  #pointed: string | null = null
  #listed: ReadonlySet<string> = new Set()
  #places = new Map<string, L.LatLng>()

  constructor(map: L.Map, options: Options) {
    this.#map = map
    this.#options = options
    this.#layer = L.layerGroup().addTo(map)
    map.on('moveend', () => this.#draw())
  }

  /** `listed` are the restaurants in the list; other pins are dimmed. */
  show(pins: readonly Pin[], listed: ReadonlySet<string>): void {
    this.#listed = listed
    this.#clusters = new Supercluster<{ pin: Pin }>({ radius: clusterRadius, maxZoom: noClusterFrom })
    this.#clusters.load(
      pins.map((pin) => ({
        type: 'Feature',
        properties: { pin },
        geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
      })),
    )
    this.#places = middlesOf(pins)
    this.#draw()
  }

  /** Highlights the pin of a restaurant; null removes the highlight. */
  point(id: string | null): void {
    this.#mark(false)
    this.#pointed = id
    this.#mark(true)
  }

  #mark(on: boolean): void {
    const pin = this.#pointed === null ? undefined : this.#drawn.get(this.#pointed)
    pin?.getElement()?.toggleAttribute('data-chosen', on)
    pin?.setZIndexOffset(on ? 1000 : 0)
  }

  #draw(): void {
    const before = this.#markers
    this.#markers = new Map()
    this.#drawn.clear()
    const view = this.#map.getBounds()
    const bounds = view.pad(0.2)
    const box: [number, number, number, number] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ]
    for (const found of this.#clusters.getClusters(box, Math.round(this.#map.getZoom()))) {
      const [longitude, latitude] = found.geometry.coordinates as [number, number]
      const { properties } = found
      const marker =
        'cluster' in properties
          ? this.#cluster(before, latitude, longitude, properties.cluster_id, properties.point_count)
          : this.#pin(before, properties.pin)
      // Markers outside the view are not tab stops: moving the map to one would add ever more stops.
      const element = marker.getElement()
      if (element) element.tabIndex = view.contains(marker.getLatLng()) ? 0 : -1
    }
    if (this.#map.getZoom() >= namesFrom) this.#drawPlaces(before)
    this.#removeLeft(before)
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
    const { messages, open } = this.#options
    const see = { text: messages.see, facts: messages.facts(pin), open: () => open(pin.id) }
    bindPinCard(marker, pin, see)
    marker.on('mouseover', () => this.#options.point(pin.id))
    marker.on('click', () => this.#options.point(pin.id))
    marker.addTo(this.#layer)
    pressByKey(marker)
    const element = marker.getElement()
    element?.setAttribute('data-pin', pin.id)
    element?.addEventListener('focus', () => this.#options.point(pin.id))
    return marker
  }

  #cluster(
    before: ReadonlyMap<string, L.Marker>,
    latitude: number,
    longitude: number,
    cluster: number,
    count: number,
  ): L.Marker {
    const held = this.#clusters.getLeaves(cluster, Number.POSITIVE_INFINITY).map(({ properties }) => properties.pin.id)
    const make = () => this.#makeCluster(latitude, longitude, count)
    const marker = this.#take(before, `cluster ${latitude} ${longitude} ${held.join()}`, make)
    // The handler refers to the current pins, so an earlier one is removed.
    marker.off('click')
    marker.on('click', () => {
      if (document.activeElement === marker.getElement()) this.#opened = held
      const zoom = Math.min(this.#clusters.getClusterExpansionZoom(cluster), 17)
      this.#map.setView([latitude, longitude], zoom)
    })
    for (const id of held) this.#drawn.set(id, marker)
    return marker
  }

  #makeCluster(latitude: number, longitude: number, count: number): L.Marker {
    const number = document.createElement('span')
    number.textContent = String(count)
    const icon = L.divIcon({ className: styles.cluster ?? '', html: number, iconSize: [38, 38] })
    const title = this.#options.messages.cluster(count)
    const marker = L.marker([latitude, longitude], { icon, title, keyboard: true, autoPanOnFocus: false })
    marker.addTo(this.#layer)
    pressByKey(marker)
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
