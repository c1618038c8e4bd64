import type { PageArgs } from '../../../platform/browser/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { findText, toExcerpt } from '../blocks.ts'
import columns from './ContentPage.module.css'
import styles from './EarnPage.module.css'
import { OfferCards, useOffers } from './embed/OfferCards.tsx'
import { SmartLink } from './embed/SmartLink.tsx'
import { prefetchContent, useEntries } from './embed/use-content.ts'
import { useCopy, useFill } from './embed/use-copy.tsx'

/** Pages about optional features, with the setting that enables each. */
const switched: Record<string, 'hasVIP' | 'hasReservationBonus'> = {
  '/earn/vip-upgrade': 'hasVIP',
  '/earn/reservations': 'hasReservationBonus',
}

export async function load(args: PageArgs): Promise<void> {
  await prefetchContent(args, ['earn_details', 'earn_banner'])
}

/** All ways to earn: current offers as cards with images, then the explanatory pages. */
export function Page() {
  const t = useCopy()
  const fill = useFill()
  const { config } = useProgram()
  const offers = useOffers('earn')
  const banner = useEntries('earn_banner')[0]?.fields
  const pages = useEntries('earn_details')
    .map(({ fields }) => ({ url: fields.url, blocks: fields.main_column }))
    .filter(({ url }) => url.startsWith('/earn/') && (switched[url] === undefined || config[switched[url]]))
  return (
    <>
      <Meta title={t('earn.title')} purpose={t('earn.purpose')} />
      <div className={columns.columns}>
        <div className={columns.main}>
          <h1>{t('earn.title')}</h1>
          {banner && <p className={styles.lead}>{fill(banner.text)}</p>}
          <OfferCards offers={offers} />
          <ul className={styles.pages}>
            {pages.map(({ url, blocks }) => (
              <li key={url}>
                <SmartLink href={url} className={styles.page}>
                  <strong>{fill(findText(blocks, 'title') || url)}</strong>
                  <span>{fill(toExcerpt(blocks))}</span>
                </SmartLink>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}
