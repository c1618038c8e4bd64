import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { notFoundOn } from '../../../platform/browser/redirects.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useParams, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { useFocusOnPage } from '../../../platform/browser/use-focus-on-page.ts'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { ImpressionTracker } from '../../../programs/tracking/member/embed/ImpressionTracker.tsx'
import { type CityPage, getCity } from '../contract.ts'
import { readSearch, searchAddress } from '../search-address.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { CityNotFound } from './CityNotFound.tsx'
import styles from './CityPage.module.css'
import { MerchantCard } from './embed/MerchantCard.tsx'
import { JsonLd } from './JsonLd.tsx'
import { PageLinks } from './PageLinks.tsx'
import { itemList } from './structured-data.ts'

/** Beyond the last page of any city: such a page is not found. */
const maxPage = 10_000
const maxSlug = 80

// Half of a character, which the cut may leave, can be in no address.
const cut = (slug: string) => slug.slice(0, maxSlug).toWellFormed()

function toInput(params: PageArgs['params'], search: URLSearchParams) {
  const pageNo = Math.min(maxPage, Math.max(1, Math.trunc(Number(search.get('pageNo'))) || 1))
  const { city = '', cuisine } = params
  return {
    params: { city: cut(city) },
    query: { ...(cuisine !== undefined && { cuisine: cut(cuisine) }), ...(pageNo > 1 && { pageNo }) },
  }
}

export async function load({ api, cache, params, url }: PageArgs): Promise<void> {
  await notFoundOn([404], cache.ensure(apiQuery(api, getCity, toInput(params, url.searchParams))))
}

export const NotFound = CityNotFound

/** The restaurants of a city, or of one cuisine there. */
export function Page() {
  const search = useSearchParams()
  const page = useApiSuspenseQuery(getCity, toInput(useParams(), search))
  const address = page.cuisine
    ? `/restaurants/${page.city.slug}/${page.cuisine.slug}`
    : `/restaurants/${page.city.slug}`
  const toPage = (pageNo: number) => (pageNo === 1 ? address : `${address}?pageNo=${pageNo}`)
  return (
    <div className={styles.page}>
      <Head page={page} address={toPage(page.pageNo)} />
      <Heading page={page} />
      <ul className={styles.list}>
        {page.merchants.map((merchant, index) => (
          <li key={merchant.id}>
            <ImpressionTracker as="CardImpression" merchantId={merchant.id} className={styles.card}>
              <MerchantCard level={2} merchant={merchant} eager={index < 2} />
            </ImpressionTracker>
          </li>
        ))}
      </ul>
      <PageLinks pageNo={page.pageNo} totalPages={page.totalPages} toPage={toPage} />
      <Further page={page} />
    </div>
  )
}

const placeOf = ({ city }: Pick<CityPage, 'city'>) => `${city.name}, ${city.state}`

function Head({ page, address }: { page: CityPage; address: string }) {
  const t = useCopy()
  const { config, origin } = useProgram()
  const { cuisine, pageNo, totalResultSize, merchants } = page
  const place = placeOf(page)
  const name = cuisine ? t('cities.cuisine_in', { cuisine: cuisine.name, place }) : t('cities.in', { place })
  const title = pageNo === 1 ? name : `${name}, ${t('cities.page', { page: pageNo })}`
  const about = cuisine ? 'cities.description_cuisine' : 'cities.description'
  const params = { place, cuisine: cuisine?.name ?? '', count: formatCount(totalResultSize) }
  return (
    <>
      <Meta
        fullTitle={`${title} · ${config.programName}`}
        description={t(totalResultSize === 1 ? `${about}_one` : about, params)}
        canonical={address}
      />
      <JsonLd data={import.meta.env?.SSR ? itemList(merchants, { name, origin }) : null} />
    </>
  )
}

function Heading({ page }: { page: CityPage }) {
  const t = useCopy()
  const { city, cuisine, pageNo, totalPages, totalResultSize } = page
  const place = placeOf(page)
  const address = `/restaurants/${city.slug}`
  const start = useFocusOnPage<HTMLParagraphElement>(pageNo, `${address}/${cuisine?.slug}`)
  return (
    <header>
      <Breadcrumbs
        crumbs={[
          { name: place, path: address },
          ...(cuisine ? [{ name: cuisine.name, path: `${address}/${cuisine.slug}` }] : []),
        ]}
      />
      <h1>{cuisine ? t('cities.cuisine_in', { cuisine: cuisine.name, place }) : t('cities.in', { place })}</h1>
      <p ref={start} tabIndex={-1} className={styles.lead}>
        {t(totalResultSize === 1 ? 'cities.count_one' : 'cities.count', { count: formatCount(totalResultSize) })}{' '}
        {pageNo > 1 && t('search.page_of', { page: pageNo, total: formatCount(totalPages) })}
      </p>
    </header>
  )
}

/** Links to what else there is in the city and around it. */
function Further({ page }: { page: CityPage }) {
  const t = useCopy()
  const { city, cuisine, cuisines, neighbors } = page
  const place = placeOf(page)
  const location = readSearch(new URLSearchParams({ location: place }))
  return (
    <>
      <p>
        <Link to={searchAddress(location)}>{t('cities.search', { place })}</Link>
      </p>
      <LinkList
        heading={t('cities.cuisines', { place })}
        links={cuisines
          .filter(({ slug }) => slug !== cuisine?.slug)
          .map(({ slug, name, count }) => ({ path: `/restaurants/${city.slug}/${slug}`, name, count }))}
      />
      <LinkList
        heading={t('cities.neighbors')}
        links={neighbors.map(({ slug, name, state, count }) => ({
          path: `/restaurants/${slug}`,
          name: `${name}, ${state}`,
          count,
        }))}
      />
    </>
  )
}

interface LinkListProps {
  heading: string
  links: readonly { path: string; name: string; count: number }[]
}

export function LinkList({ heading, links }: LinkListProps) {
  const t = useCopy()
  if (links.length === 0) return null
  return (
    <section>
      <h2 className={styles.heading}>{heading}</h2>
      <ul className={styles.links}>
        {links.map(({ path, name, count }) => (
          <li key={path}>
            <Link to={path}>{t('search.option', { name, count: formatCount(count) })}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
