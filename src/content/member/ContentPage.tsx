import { useLocation } from 'react-router'
import type { PageArgs } from '../../kit/web/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { bannerItemsOf, bannerOf, blocksOf, chooseByState } from '../rules.ts'
import styles from './ContentPage.module.css'
import { Blocks } from './embed/Blocks.tsx'
import { Html } from './embed/Html.tsx'
import { askContent, type Fields, useEntries } from './embed/use-content.ts'
import { useFill } from './embed/use-copy.tsx'
import { OfferCards } from './OfferCards.tsx'
import { PageBanner } from './PageBanner.tsx'
import { useVisitor } from './use-visitor.ts'

interface Choice {
  homePage: string
  hasDiscoverPage: boolean
}

/** Which collection a path shows: the front pages have their own, everything else is found by its url. */
function collectionOf(pathname: string, { homePage, hasDiscoverPage }: Choice): string {
  const homeIsDiscover = homePage === 'Discover' && hasDiscoverPage
  if (pathname === '/discover' || (pathname === '/' && homeIsDiscover)) return 'discover'
  return pathname === '/' ? 'home' : 'earn_details'
}

export async function load(args: PageArgs): Promise<void> {
  const { cache, url, config } = args
  const collection = collectionOf(url.pathname, config)
  const { data, failed } = await cache.ensureQueryData(askContent(args, collection))
  if (collection !== 'earn_details' || failed) return
  if (!data.some(({ fields }) => fields.url === url.pathname)) throw new Response(null, { status: 404 })
}

/** A page made of content: banner, columns of blocks, disclaimer. */
export function Page() {
  const { pathname } = useLocation()
  const { config } = useProgram()
  const { state } = useVisitor()
  const collection = collectionOf(pathname, config)
  const entries = useEntries(collection).map(({ fields }) => fields)
  const fields =
    collection === 'earn_details'
      ? entries.find((entry) => entry.url === pathname)
      : chooseByState(entries, state, config.copyStates)
  return (
    <ContentView fields={fields ?? {}}>
      {pathname === '/earn/special-offers' && <OfferCards types={['earn', 'enrollment']} />}
    </ContentView>
  )
}

function ContentView({ fields, children }: { fields: Fields; children: React.ReactNode }) {
  const fill = useFill()
  const banner = bannerOf(fields.banner)
  const items = bannerItemsOf(fields.banner_text)
  const main = blocksOf(fields.main_column)
  const side = blocksOf(fields.side_column)
  const title = typeof fields.browser_title === 'string' ? fill(fields.browser_title) : ''
  const showBanner = banner !== null && items.length > 0
  return (
    <>
      <Meta fullTitle={title || undefined} />
      {showBanner && (
        <PageBanner banner={banner} items={items} prospectForm={fields.prospect_form as Fields | undefined} />
      )}
      <div className={styles.columns} data-side={side.length > 0 || undefined}>
        <div className={styles.main}>
          <Blocks blocks={main} level={showBanner ? 2 : 1} />
          {children}
        </div>
        {side.length > 0 && (
          <aside className={styles.side}>
            <Blocks blocks={side} level={2} />
          </aside>
        )}
      </div>
      {typeof fields.disclaimer === 'string' && fields.disclaimer !== '' && (
        <Html className={styles.disclaimer} text={fields.disclaimer} />
      )}
    </>
  )
}
