import { useDeferredValue } from 'react'
import { useApiQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useIdleTurns } from '../../../../platform/browser/use-idle-turn.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import type { Point } from '../../../../programs/places/contract.ts'
import { usePassivePoint } from '../../../../programs/places/member/embed/use-passive-point.ts'
import { defaultCity } from '../../../../programs/places/rules.ts'
import { ImpressionTracker } from '../../../../programs/tracking/member/embed/ImpressionTracker.tsx'
import { Carousel } from '../../../../ui/Carousel.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { searchMerchants } from '../../contract.ts'
import { positionLiterals } from '../../names.ts'
import { queryOf, readSearch, searchAddress } from '../../search-address.ts'
import { MerchantCard } from './MerchantCard.tsx'
import styles from './MerchantCarousel.module.css'
import { useHome } from './use-home.ts'

const pageSize = 15
/** Parts in which a row appears: the layout of all its cards takes 15 ms, and several times that on a phone. */
const parts = 5
const [currentLocation] = positionLiterals

interface Props {
  headline: string
  body: string
  /** The search as a query string. */
  query: string
}

/**
 * A row of restaurants found by a search from the content. Without a location it searches around the visitor and says
 * so. Without results it renders nothing.
 */
export function MerchantCarousel({ headline, body, query }: Props) {
  const state = readSearch(new URLSearchParams(query))
  // A campaign search covers its restaurants everywhere.
  const anywhere = state.location === '' && state.campaignCode === ''
  const around = useVisitorPlace(anywhere)
  const search = { ...queryOf(state), ...(anywhere && around) }
  const address = anywhere ? searchAddress({ ...state, location: around?.location ?? '' }) : `/search?${query}`
  return <Row headline={headline} body={body} address={address} search={search} ready={around !== undefined} />
}

type VisitorPlace = { location: string } & Partial<Point>

/**
 * Returns the default location of rows: the visitor's position if already permitted, else the member's home, else the
 * default city. Undefined while pending; not determined unless `wanted`.
 */
function useVisitorPlace(wanted: boolean): VisitorPlace | undefined {
  const home = useHome()
  const point = usePassivePoint(wanted)
  if (point === undefined) return undefined
  return point ? { location: currentLocation, ...point } : { location: home || defaultCity }
}

/** Restaurants near the member, or in the default city when no location is known. */
export function NearbyCarousel() {
  const t = useCopy()
  const around = useVisitorPlace(true)
  const location = around?.location ?? defaultCity
  const headline = location === defaultCity ? t('merchant.nearby_city', { city: defaultCity }) : t('merchant.nearby')
  const address = `/search?${new URLSearchParams({ location })}`
  return <Row headline={headline} body="" address={address} search={{ ...around }} ready={around !== undefined} />
}

interface RowProps {
  headline: string
  body: string
  /** Address of the search page with all results. */
  address: string
  search: Record<string, unknown>
  ready: boolean
}

function Row({ headline, body, address, search, ready }: RowProps) {
  const t = useCopy()
  const result = useApiQuery(searchMerchants, { query: { ...search, pageSize } as never }, { enabled: ready })
  // The rows are rendered one by one, each in parts, between which the page responds.
  const shown = useDeferredValue(useIdleTurns(result.data !== undefined, parts))
  const found = shown > 0 ? result.data : undefined
  if (result.isError || result.data?.merchants.length === 0) return null
  return (
    <section className={styles.row} aria-label={headline}>
      <header>
        <div>
          <h2>{headline}</h2>
          {body && <p>{body}</p>}
          <PlaceLine location={ready ? String(search.location ?? '') : null} origin={found?.merchants[0]?.origin} />
        </div>
        <Link to={address}>
          {t('merchant.view_all')}
          <span className="visually-hidden">: {headline}</span>
        </Link>
      </header>
      {found ? (
        <Carousel label={headline} previousLabel={t('search.previous')} nextLabel={t('search.next')} dots>
          {found.merchants.slice(0, (pageSize / parts) * shown).map((merchant) => (
            <ImpressionTracker
              key={merchant.id}
              as="CarouselImpression"
              merchantId={merchant.id}
              className={styles.slide}
            >
              <MerchantCard level={3} merchant={merchant} />
            </ImpressionTracker>
          ))}
        </Carousel>
      ) : (
        <Skeleton height={320} />
      )}
    </section>
  )
}

/** Names the location of a row. Renders an empty line while it is unknown, to avoid a layout shift. */
function PlaceLine({ location, origin }: { location: string | null; origin: string | null | undefined }) {
  const t = useCopy()
  if (location === null) return <p className={styles.place}>&nbsp;</p>
  if (location === '') return null
  if (location === currentLocation) return <p className={styles.place}>{t('merchant.row_here')}</p>
  return <p className={styles.place}>{t('merchant.row_near', { place: origin ?? location })}</p>
}
