import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import { useEffect, useId, useRef, useState } from 'react'
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
import { maxZoom, PinLayer } from './pin-layer.ts'
import styles from './ResultMap.module.css'
import type { MapShown } from './SearchLayout.tsx'
import { lastMapView, saveMapView, saveSelected } from './search-storage.ts'

interface Props {
  response: SearchResponse
  pins: readonly Pin[]
  /** Number of restaurants that match the search; there may be fewer pins. */
  total: number
  /** Identifies the search: a view of the map belongs to the search that it was left at. */
  search: string
  /** The middle of a search of the visible map area, whose result does not move the map; null for other searches. */
  area: { latitude: number; longitude: number } | null
  shown: MapShown
  label: string
  onArea: (area: { latitude: number; longitude: number; radius: number }) => void
}

const reducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
/** Pixels by which a button moves the map. */
const step = 120
const four = (degrees: number) => Math.round(degrees * 10_000) / 10_000

/** Shows the results of a search on a map. The list has all its information as well. */
export function ResultMap({ response, pins, total, search, area, shown, label, onArea }: Props) {
  const t = useCopy()
  const fetchApi = useApiFetch()
  const navigate = useNavigate()
  const { mapTiles } = useProgram()
  const box = useRef<HTMLElement>(null)
  const map = useRef<L.Map | null>(null)
  const layer = useRef<PinLayer | null>(null)
  /** True while the map moves by itself, which must not offer a new search. */
  const own = useRef(false)
  /** The search whose result the map shows. */
  const shownSearch = useRef('')
  const [moved, setMoved] = useState(false)
  const hintId = useId()
  const { onPoint, pointed, mode } = shown
  const facts = usePinFacts()

  // biome-ignore lint/correctness/useExhaustiveDependencies: one map for the lifetime of the page
  useEffect(() => {
    if (!box.current) return
    const made = L.map(box.current, {
      attributionControl: mapTiles !== null,
      zoomAnimation: !reducedMotion(),
      minZoom: 3,
      maxZoom,
      // The observer below does it at once. Leaflet would end it by a timer, which outlives a removed map.
      trackResize: false,
    })
    map.current = made
    made.setView([39.5, -98.35], 4)
    layer.current = new PinLayer(made, {
      open: (id) => navigate(`/merchants/${id}`),
      point: onPoint,
      choose: saveSelected,
      quietly,
      messages: {
        cluster: (count) => t('search.cluster', { count }),
        together: (count) => t('search.together', { count }),
        see: t('search.see'),
        facts,
      },
    })
    made.on('moveend', () => {
      saveView(made)
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

  function saveView(made: L.Map): void {
    const { lat, lng } = made.getCenter()
    saveMapView({ latitude: lat, longitude: lng, zoom: made.getZoom(), search: shownSearch.current })
  }

  useEffect(() => {
    layer.current?.show(pins, new Set(response.merchants.map(({ id }) => id)))
  }, [pins, response])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new result moves the map
  useEffect(() => {
    const current = map.current
    if (!current) return
    setMoved(false)
    shownSearch.current = search
    const left = lastMapView()
    const center = current.getCenter()
    // Its container may have been laid out after the map was created.
    quietly(() => current.invalidateSize({ animate: false }))
    if (left?.search === search) {
      quietly(() => current.setView([left.latitude, left.longitude], left.zoom, { animate: false }))
      return
    }
    if (area && four(center.lat) === area.latitude && four(center.lng) === area.longitude) return saveView(current)
    const points = response.merchants.map(({ location }) => L.latLng(location.latitude, location.longitude))
    quietly(() => {
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
      <section ref={box} className={styles.map} aria-label={label} aria-describedby={hintId} />
      <p id={hintId} hidden>
        {t('search.map_keys')}
      </p>
      {/* Below the map, because over it they would cover pins. */}
      <div className={styles.below}>
        <MoveButtons onMove={(x, y) => map.current?.panBy([x * step, y * step], { animate: !reducedMotion() })} />
        {pins.length > 0 && pins.length < total && (
          <p className={styles.count}>{t('search.pins_of', { shown: pins.length, total: formatCount(total) })}</p>
        )}
      </div>
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
