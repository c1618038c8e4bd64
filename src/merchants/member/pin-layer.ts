import L from 'leaflet'
import Supercluster from 'supercluster'
import type { Pin } from '../contract.ts'
import { labelsAbove } from './map-base.ts'
import { bindPinCard, pressByKey } from './pin-card.ts'
import styles from './ResultMap.module.css'

interface Options {
  open: (id: string) => void
  point: (id: string | null) => void
  words: { cluster: (count: number) => string; see: string; facts: (pin: Pin) => string }
}

/** Nearer than this neighborhoods have names. */
const namesFrom = 12
/** Pixels within which pins become one. */
const clusterRadius = 44
const noClusterFrom = 16

/** Pins of restaurants on a map; those that would lie on each other are one, with their number. */
export class PinLayer {
  readonly #map: L.Map
  readonly #options: Options
  readonly #layer: L.LayerGroup
  /** What stands for a restaurant: its pin, or the one that holds it. */
  readonly #drawn = new Map<string, L.Marker>()
  /** What the map shows now. Drawing again leaves a marker that stays, and the focus in it, untouched. */
  #markers = new Map<string, L.Marker>()
  /** The restaurants of a cluster that was opened by keyboard: the first marker of theirs gets the focus. */
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

  /** `listed` are those that the list shows now: the others step back. */
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

  /** Makes the pin of a restaurant stand out; null none. */
  point(id: string | null): void {
    this.#mark(false)
    this.#pointed = id
    this.#mark(true)
  }

  #mark(on: boolean): void {
    const pin = this.#pointed === null ? undefined : this.#drawn.get(this.#pointed)
    pin?.getElement()?.classList.toggle(styles.chosen ?? '', on)
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
      // What lies outside the view is no stop for Tab: moving the map to it would bring ever more stops.
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

  /** The marker of this key that is drawn already, or a new one. */
  #take(before: ReadonlyMap<string, L.Marker>, key: string, make: () => L.Marker): L.Marker {
    const marker = before.get(key) ?? make()
    this.#markers.set(key, marker)
    return marker
  }

  // The names of neighborhoods where their restaurants are: enough to know the way by.
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
    const { words, open } = this.#options
    const see = { text: words.see, facts: words.facts(pin), open: () => open(pin.id) }
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
    // What it opens belongs to the pins that are loaded now.
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
    const title = this.#options.words.cluster(count)
    const marker = L.marker([latitude, longitude], { icon, title, keyboard: true, autoPanOnFocus: false })
    marker.addTo(this.#layer)
    pressByKey(marker)
    // A number alone would be its name.
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
