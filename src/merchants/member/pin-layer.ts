import L from 'leaflet'
import Supercluster from 'supercluster'
import type { Pin } from '../contract.ts'
import styles from './ResultMap.module.css'

interface Options {
  open: (id: string) => void
  point: (id: string | null) => void
  words: { cluster: (count: number) => string; see: string }
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
    // Drawing anew would take the focus from whoever walks the pins by keyboard, and close what is open.
    const focused = document.activeElement?.getAttribute('data-pin')
    const open = [...this.#drawn.values()].find((marker) => marker.isPopupOpen())
    if (open) return
    this.#layer.clearLayers()
    this.#drawn.clear()
    const bounds = this.#map.getBounds().pad(0.2)
    const box: [number, number, number, number] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ]
    for (const found of this.#clusters.getClusters(box, Math.round(this.#map.getZoom()))) {
      const [longitude, latitude] = found.geometry.coordinates as [number, number]
      const { properties } = found
      if ('cluster' in properties) this.#addCluster(latitude, longitude, properties.cluster_id, properties.point_count)
      else this.#addPin(properties.pin)
    }
    if (this.#map.getZoom() >= namesFrom) this.#drawPlaces()
    this.#mark(true)
    if (focused) this.#drawn.get(focused)?.getElement()?.focus()
  }

  // The names of neighborhoods where their restaurants are: enough to know the way by.
  #drawPlaces(): void {
    for (const [name, middle] of this.#places) {
      const label = document.createElement('span')
      label.textContent = name
      const icon = L.divIcon({ className: styles.place ?? '', html: label, iconSize: [0, 0] })
      const quiet = { icon, interactive: false, keyboard: false, zIndexOffset: -1000 }
      L.marker(middle, quiet).addTo(this.#layer)
    }
  }

  #addPin(pin: Pin): void {
    const className = `${styles.pin} ${this.#listed.has(pin.id) ? '' : styles.unlisted}`
    const icon = L.divIcon({ className, iconSize: [28, 28], iconAnchor: [14, 30] })
    const marker = L.marker([pin.latitude, pin.longitude], { icon, title: pin.name, keyboard: true })
    marker.bindPopup(() => this.#card(pin), { closeButton: false, offset: [0, -20], autoPanPadding: [24, 24] })
    marker.on('mouseover', () => this.#options.point(pin.id))
    marker.on('click', () => this.#options.point(pin.id))
    marker.addTo(this.#layer)
    const element = marker.getElement()
    element?.setAttribute('data-pin', pin.id)
    element?.addEventListener('focus', () => this.#options.point(pin.id))
    this.#drawn.set(pin.id, marker)
  }

  #card({ id, name }: Pin): HTMLElement {
    const card = document.createElement('div')
    const title = document.createElement('strong')
    title.textContent = name
    const link = document.createElement('a')
    link.href = `/merchants/${id}`
    link.textContent = this.#options.words.see
    link.addEventListener('click', (event) => {
      event.preventDefault()
      this.#options.open(id)
    })
    card.append(title, document.createElement('br'), link)
    return card
  }

  #addCluster(latitude: number, longitude: number, cluster: number, count: number): void {
    const number = document.createElement('span')
    number.textContent = String(count)
    const icon = L.divIcon({ className: styles.cluster ?? '', html: number, iconSize: [38, 38] })
    const title = this.#options.words.cluster(count)
    const marker = L.marker([latitude, longitude], { icon, title, keyboard: true })
    marker.on('click', () => {
      const zoom = Math.min(this.#clusters.getClusterExpansionZoom(cluster), 17)
      this.#map.setView([latitude, longitude], zoom)
    })
    marker.addTo(this.#layer)
    // A number alone would be its name.
    marker.getElement()?.setAttribute('aria-label', title)
    for (const { properties } of this.#clusters.getLeaves(cluster, Number.POSITIVE_INFINITY)) {
      this.#drawn.set(properties.pin.id, marker)
    }
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
