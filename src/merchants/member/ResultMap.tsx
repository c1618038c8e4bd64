import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'
import type { ReplyOf } from '../../kit/call.ts'
import type { searchMerchants } from '../contract.ts'
import styles from './ResultMap.module.css'

interface Props {
  answer: ReplyOf<typeof searchMerchants>
  chosen: string | null
  label: string
  /** Changes when the map is shown or hidden, so that it measures itself anew. */
  visible: string
}

const reducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The results on a map over packaged boundaries: no tile server is asked. The list says everything the map says. */
export function ResultMap({ answer, chosen, label, visible }: Props) {
  const box = useRef<HTMLElement>(null)
  const map = useRef<L.Map | null>(null)
  const pins = useRef(new Map<string, L.Marker>())
  const navigate = useNavigate()

  useEffect(() => {
    if (!box.current) return
    const made = L.map(box.current, {
      attributionControl: false,
      zoomAnimation: !reducedMotion(),
      minZoom: 3,
      maxZoom: 17,
    })
    map.current = made
    made.setView([39.5, -98.35], 4)
    const resized = new ResizeObserver(() => made.invalidateSize({ animate: false }))
    resized.observe(box.current)
    void drawStates(made, () => map.current === made)
    return () => {
      resized.disconnect()
      made.remove()
      map.current = null
    }
  }, [])

  useEffect(() => {
    const current = map.current
    if (!current) return
    const layer = L.layerGroup().addTo(current)
    const drawn = pins.current
    for (const merchant of answer.merchants) {
      const { latitude, longitude } = merchant.location
      const pin = L.marker([latitude, longitude], {
        icon: L.divIcon({ className: styles.pin ?? '', iconSize: [28, 28], iconAnchor: [14, 30] }),
        title: merchant.name,
        alt: merchant.name,
        keyboard: true,
      })
      pin.on('click', () => navigate(`/merchants/${merchant.id}`))
      pin.addTo(layer)
      pin.bindTooltip(merchant.name, { direction: 'top', offset: [0, -12] })
      drawn.set(merchant.id, pin)
    }
    drawPlaces(layer, answer)
    // Its box may have been laid out since it was made.
    current.invalidateSize({ animate: false })
    const points = answer.merchants.map(({ location }) => L.latLng(location.latitude, location.longitude))
    if (points.length > 0) current.fitBounds(L.latLngBounds(points).pad(0.15), { maxZoom: 15, animate: false })
    return () => {
      layer.remove()
      drawn.clear()
    }
  }, [answer, navigate])

  useEffect(() => {
    const pin = chosen ? pins.current.get(chosen) : undefined
    const element = pin?.getElement()
    element?.classList.add(styles.chosen ?? '')
    pin?.setZIndexOffset(1000)
    return () => {
      element?.classList.remove(styles.chosen ?? '')
      pin?.setZIndexOffset(0)
    }
  }, [chosen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: showing it is what changes its size
  useEffect(() => {
    map.current?.invalidateSize()
  }, [visible])

  return <section ref={box} className={styles.map} aria-label={label} />
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
  }).addTo(map)
}

/** Neighborhood names where their restaurants are: enough to know the way by. */
function drawPlaces(layer: L.LayerGroup, { merchants }: Props['answer']): void {
  const places = new Map<string, L.LatLng[]>()
  for (const { location } of merchants) {
    const name = location.neighborhood || location.address.city
    places.set(name, [...(places.get(name) ?? []), L.latLng(location.latitude, location.longitude)])
  }
  for (const [name, points] of places) {
    const label = document.createElement('span')
    label.textContent = name
    const icon = L.divIcon({ className: styles.place ?? '', html: label, iconSize: [0, 0] })
    L.marker(L.latLngBounds(points).getCenter(), {
      icon,
      interactive: false,
      keyboard: false,
      zIndexOffset: -1000,
    }).addTo(layer)
  }
}
