import ExternalLink from 'lucide-react/icons/external-link'
import MapPin from 'lucide-react/icons/map-pin'
import Phone from 'lucide-react/icons/phone'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { notFoundOn } from '../../../platform/browser/redirects.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { phoneHref } from '../../../platform/phone.ts'
import { toSlug } from '../../../platform/text.ts'
import { SideText } from '../../../programs/content/member/embed/SideText.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { loadQuote } from '../../../rewards/activity/member/embed/EarnCalculator.tsx'
import { ReservationBlock } from '../../reservations/member/embed/ReservationBlock.tsx'
import { getMerchant, getMerchantReviews, type MerchantDetail } from '../contract.ts'
import { citySlug } from '../rules.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { EarnPanel, useEarningAt } from './EarnPanel.tsx'
import { placeOf } from './embed/MerchantCard.tsx'
import { MerchantFacts } from './embed/MerchantFacts.tsx'
import { JsonLd } from './JsonLd.tsx'
import { MerchantExtras } from './MerchantExtras.tsx'
import { MerchantHighlights } from './MerchantHighlights.tsx'
import { MerchantNotFound } from './MerchantNotFound.tsx'
import styles from './MerchantPage.module.css'
import { MerchantReviews, reviewsOf } from './MerchantReviews.tsx'
import { OpenNow } from './OpenNow.tsx'
import { OrderOnline } from './OrderOnline.tsx'
import { structuredData } from './structured-data.ts'

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, params } = args
  const merchantId = params.merchantId ?? ''
  await notFoundOn([400, 404], cache.ensure(apiQuery(api, getMerchant, { params: { merchantId } })))
  await Promise.all([
    cache.prefetch(apiQuery(api, getMerchantReviews, reviewsOf(merchantId))),
    loadQuote(args, merchantId),
  ])
}

export const NotFound = MerchantNotFound

export function Page() {
  const { merchantId = '' } = useParams()
  const merchant = useApiSuspenseQuery(getMerchant, { params: { merchantId } })
  const earning = useEarningAt(merchant)
  const earns = earning.kind === 'earns' || (earning.kind === 'upTo' && earning.audience === 'members')
  return (
    <article>
      <Head merchant={merchant} />
      <MerchantCrumbs merchant={merchant} />
      <Hero merchant={merchant} />
      <div className={styles.body}>
        <EarnPanel merchant={merchant} />
        <ReservationBlock merchant={merchant} isLocked={earning.kind === 'locked'} />
        {/* It says how to earn here. */}
        {earns && <SideText name="merchants" />}
        <MerchantExtras merchant={merchant} />
        <MerchantReviews merchantId={merchant.id} />
      </div>
      <OrderOnline merchant={merchant} />
    </article>
  )
}

/** Metadata for search engines and social networks. A restaurant that has left is not for search engines. */
function Head({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const { config, origin } = useProgram()
  const { participating, socialImageUrl: image } = merchant
  const address = `/merchants/${merchant.id}`
  const place = placeOf(merchant.location)
  const name = `${merchant.name}, ${place}`
  return (
    <>
      <Meta
        path="/merchants"
        fullTitle={`${name} · ${config.programName}`}
        description={merchant.description || t('merchant.summary', { restaurant: merchant.name, place })}
        image={participating ? image : undefined}
        imageAlt={participating ? name : undefined}
        canonical={address}
        unlisted={!participating}
      />
      <JsonLd
        data={import.meta.env?.SSR ? structuredData(merchant, { url: origin + address, image: origin + image }) : null}
      />
    </>
  )
}

/** The city, the main cuisine there, and this restaurant. One that has left is in no list. */
function MerchantCrumbs({ merchant }: { merchant: MerchantDetail }) {
  const { address } = merchant.location
  const slug = citySlug(address)
  if (!merchant.participating || slug === null) return null
  const city = `/restaurants/${slug}`
  const [cuisine = ''] = merchant.details.cuisines
  const cuisineSlug = toSlug(cuisine)
  return (
    <div className={styles.crumbs}>
      <Breadcrumbs
        crumbs={[
          { name: `${address.city}, ${address.state}`, path: city },
          ...(cuisineSlug === '' ? [] : [{ name: cuisine, path: `${city}/${cuisineSlug}` }]),
          { name: merchant.name, path: `/merchants/${merchant.id}` },
        ]}
      />
    </div>
  )
}

function Hero({ merchant }: { merchant: MerchantDetail }) {
  const { details, location, images } = merchant
  const { address1, state, zipCode } = location.address
  const address = [address1, placeOf(location), `${state} ${zipCode}`.trim()].filter(Boolean).join(', ')
  return (
    <div className={styles.hero}>
      <img
        src={`${images.imageBaseUrl}?w=600&r=1.6`}
        width={600}
        height={375}
        alt=""
        className={styles.cover}
        fetchPriority="high"
        data-page-image
      />
      <div className={styles.heading}>
        <MerchantHighlights merchant={merchant} />
        <h1>{merchant.name}</h1>
        <p className={styles.facts}>
          <MerchantFacts details={details} />
        </p>
        <p className={styles.address}>{address}</p>
        <OpenNow hours={merchant.hours} timeZone={merchant.timeZone} />
        <Actions merchant={merchant} />
      </div>
    </div>
  )
}

function Actions({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const { location, website, ordering, id } = merchant
  return (
    <p className={styles.actions}>
      {location.phone && (
        <a href={phoneHref(location.phone)}>
          <Phone aria-hidden="true" size={18} />
          {t('merchant.phone')} {location.phone}
        </a>
      )}
      <a
        href={`https://www.openstreetmap.org/directions?to=${location.latitude},${location.longitude}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <MapPin aria-hidden="true" size={18} />
        {t('merchant.directions')}
      </a>
      {ordering.length > 0 && (
        <Link to={`/merchants/${id}/order-online`} preventScrollReset>
          <ShoppingBag aria-hidden="true" size={18} />
          {t('merchant.order_online')}
        </Link>
      )}
      {website && (
        <a href={website} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden="true" size={18} />
          {t('merchant.website')}
        </a>
      )}
    </p>
  )
}
