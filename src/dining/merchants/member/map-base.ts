import L from 'leaflet'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'
import type { FetchRead } from '../../../platform/browser/query.ts'
import { listPlaces } from '../../../programs/places/contract.ts'
import styles from './ResultMap.module.css'

/** Layers labels above pins, where they are readable; clicks still reach the pin. */
export const labelsAbove = 500

interface Base {
  fetchApi: FetchRead
  /** Raster tiles of a configured server; null draws the built-in base map. */
  tiles: { url: string; attribution: string } | null
  isShown: () => boolean
}

/** Draws the base map: tiles if configured, else state lines and city names. */
export function drawBase(map: L.Map, { fetchApi, tiles, isShown }: Base): void {
  if (tiles) {
    L.tileLayer(tiles.url, { attribution: tiles.attribution, maxZoom: 19 }).addTo(map)
    return
  }
  void drawStates(map, isShown)
  drawCities(map, fetchApi, isShown)
}

async function drawStates(map: L.Map, isShown: () => boolean): Promise<void> {
  const response = await fetch(statesUrl).catch(() => null)
  if (!response?.ok) return
  const topology = (await response.json()) as Topology<{ states: GeometryCollection }>
  // The page may have been left meanwhile.
  if (!isShown()) return
  L.geoJSON(feature(topology, topology.objects.states), {
    interactive: false,
    style: { className: styles.state ?? '', weight: 1 },
  })
    .addTo(map)
    .bringToBack()
}

/** Draws the names of cities in view, larger ones first, without overlaps. */
function drawCities(map: L.Map, fetchApi: FetchRead, isShown: () => boolean): void {
  const layer = L.layerGroup().addTo(map)
  let newest = 0
  const draw = async () => {
    const mine = ++newest
    const bounds = map.getBounds()
    const [south, west, north, east] = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
    const within = { south: clamp(south, 90), west: clamp(west, 180), north: clamp(north, 90), east: clamp(east, 180) }
    const response = await fetchApi(listPlaces, { query: within }).catch(() => null)
    if (!response || mine !== newest || !isShown()) return
    layer.clearLayers()
    const taken: L.Point[] = []
    for (const { label, latitude, longitude } of response.places) {
      const at = map.latLngToContainerPoint([latitude, longitude])
      if (taken.some((other) => Math.abs(other.x - at.x) < 90 && Math.abs(other.y - at.y) < 24)) continue
      taken.push(at)
      const name = document.createElement('span')
      name.textContent = label.replace(/, \w\w$/, '')
      const icon = L.divIcon({ className: styles.place ?? '', html: name, iconSize: [0, 0] })
      L.marker([latitude, longitude], { icon, interactive: false, keyboard: false, zIndexOffset: labelsAbove }).addTo(
        layer,
      )
    }
  }
  map.on('moveend', () => void draw())
  void draw()
}

function clamp(degrees: number, max: number): number {
  return Math.max(-max, Math.min(max, Math.round(degrees * 1000) / 1000))
}
