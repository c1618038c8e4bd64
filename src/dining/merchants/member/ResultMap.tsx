import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import { useApiFetch } from '../../../platform/browser/query.ts'
import { useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Pin, SearchResponse } from '../contract.ts'
import { radiusLimit } from '../names.ts'
import { milesBetween } from '../rules.ts'
import { usePinFacts } from './embed/use-pin-facts.ts'
import { MoveButtons } from './MoveButtons.tsx'
import { drawBase } from './map-base.ts'
import { PinLayer } from './pin-layer.ts'
import styles from './ResultMap.module.css'
import type { MapShown } from './SearchLayout.tsx'
import { lastMapView, saveMapView } from './search-storage.ts'

interface Props {
  response: SearchResponse
  pins: readonly Pin[]
  /** Number of restaurants that match the search; there may be fewer pins. */
  total: number
  /** The search is for the visible map area, so the view does not change. */
  preservesView: boolean
  shown: MapShown
  label: string
  onArea: (area: { latitude: number; longitude: number; radius: number }) => void
}

const reducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
/** Pixels by which a button moves the map. */
const step = 120
const four = (degrees: number) => Math.round(degrees * 10_000) / 10_000

/** Shows the results of a search on a map. The list has all its information as well. */
export function ResultMap({ response, pins, total, preservesView, shown, label, onArea }: Props) {
  const t = useCopy()
  const fetchApi = useApiFetch()
  const navigate = useNavigate()
  const { mapTiles } = useProgram()
  const box = useRef<HTMLElement>(null)
  const map = useRef<L.Map | null>(null)
  const layer = useRef<PinLayer | null>(null)
  /** True while the map moves by itself, which must not offer a new search. */
  const own = useRef(false)
  const [moved, setMoved] = useState(false)
  const { onPoint, pointed, mode } = shown
  const facts = usePinFacts()

  // biome-ignore lint/correctness/useExhaustiveDependencies: one map for the lifetime of the page
  useEffect(() => {
    if (!box.current) return
    const made = L.map(box.current, {
      attributionControl: mapTiles !== null,
      zoomAnimation: !reducedMotion(),
      minZoom: 3,
      maxZoom: 17,
      // The observer below does it at once. Leaflet would end it by a timer, which outlives a removed map.
      trackResize: false,
    })
    map.current = made
    const storedView = preservesView ? lastMapView() : null
    if (storedView) made.setView([storedView.latitude, storedView.longitude], storedView.zoom)
    else made.setView([39.5, -98.35], 4)
    layer.current = new PinLayer(made, {
      open: (id) => navigate(`/merchants/${id}`),
      point: onPoint,
      messages: { cluster: (count) => t('search.cluster', { count }), see: t('search.see'), facts },
    })
    made.on('moveend', () => {
      const { lat, lng } = made.getCenter()
      saveMapView({ latitude: lat, longitude: lng, zoom: made.getZoom() })
      if (!own.current) setMoved(true)
    })
    const resized = new ResizeObserver(() => quietly(() => made.invalidateSize({ animate: false })))
    resized.observe(box.current)
    drawBase(made, { fetchApi, tiles: mapTiles, isShown: () => map.current === made })
    return () => {
      resized.disconnect()
      // A zoom that is still animated ends after the map is removed.
      made.off('moveend').remove()
      map.current = null
    }
  }, [])

  function quietly(move: () => void): void {
    own.current = true
    move()
    own.current = false
  }

  useEffect(() => {
    layer.current?.show(pins, new Set(response.merchants.map(({ id }) => id)))
  }, [pins, response])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new result moves the map
  useEffect(() => {
    const current = map.current
    if (!current) return
    setMoved(false)
    if (preservesView && lastMapView()) return
    const points = response.merchants.map(({ location }) => L.latLng(location.latitude, location.longitude))
    quietly(() => {
      // Its container may have been laid out after the map was created.
      current.invalidateSize({ animate: false })
      if (points.length > 0) current.fitBounds(L.latLngBounds(points).pad(0.15), { maxZoom: 15, animate: false })
      else if (response.origin)
        current.setView([response.origin.latitude, response.origin.longitude], 10, { animate: false })
    })
  }, [response])

  useEffect(() => layer.current?.point(pointed), [pointed])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the size changes when the map is shown
  useEffect(() => {
    const current = map.current
    if (current) quietly(() => current.invalidateSize({ animate: false }))
  }, [mode])

  function searchHere(): void {
    const current = map.current
    if (!current) return
    const { lat, lng } = current.getCenter()
    const corner = current.getBounds().getNorthEast()
    // The button disappears with the new result, so the focus moves to the map.
    current.getContainer().focus({ preventScroll: true })
    const center = { latitude: four(lat), longitude: four(lng) }
    const reach = milesBetween(center, { latitude: corner.lat, longitude: corner.lng })
    onArea({ ...center, radius: Math.min(radiusLimit, Math.max(0.2, Math.round(reach * 10) / 10)) })
  }

  return (
    <div className={styles.frame}>
      <section ref={box} className={styles.map} aria-label={label} />
      {pins.length > 0 && pins.length < total && (
        <p className={styles.count}>{t('search.pins_of', { shown: pins.length, total: formatCount(total) })}</p>
      )}
      <MoveButtons onMove={(x, y) => map.current?.panBy([x * step, y * step], { animate: !reducedMotion() })} />
      {moved && (
        <div className={styles.area}>
          <Button type="button" onClick={searchHere}>
            {t('search.this_area')}
          </Button>
        </div>
      )}
    </div>
  )
}
