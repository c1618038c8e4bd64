import type { PageArgs } from '../../../platform/browser/query.ts'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { PageNotFound } from '../../../platform/browser/router/redirect.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { chooseByState } from '../audience.ts'
import { ContentView } from './embed/ContentView.tsx'
import { OfferCards, useOffers } from './embed/OfferCards.tsx'
import { contentQuery, prefetchContent, useEntries } from './embed/use-content.ts'
import { useVisitor } from './use-visitor.ts'

interface Choice {
  homePage: string
  hasDiscoverPage: boolean
}

/** Returns the collection of a path: front pages have their own, all other pages are found by URL. */
function collectionOf(pathname: string, { homePage, hasDiscoverPage }: Choice) {
  const homeIsDiscover = homePage === 'Discover' && hasDiscoverPage
  if (pathname === '/discover' || (pathname === '/' && homeIsDiscover)) return 'discover'
  return pathname === '/' ? 'home' : 'earn_details'
}

export async function load(args: PageArgs): Promise<void> {
  const { cache, url, config } = args
  const collection = collectionOf(url.pathname, config)
  if (collection !== 'earn_details') return prefetchContent(args, [collection])
  const { data, failed } = await cache.ensure(contentQuery(args, collection))
  if (failed) return
  if (!data.some(({ fields }) => fields.url === url.pathname)) throw new PageNotFound()
}

/** A page built from content: banner, columns of blocks, disclaimer. */
export function Page() {
  const { pathname } = useLocation()
  const { config } = useProgram()
  const collection = collectionOf(pathname, config)
  return collection === 'earn_details' ? <PageAt pathname={pathname} /> : <FrontPage collection={collection} />
}

function PageAt({ pathname }: { pathname: string }) {
  const entry = useEntries('earn_details').find(({ fields }) => fields.url === pathname)
  return <ContentView fields={entry?.fields}>{pathname === '/earn/special-offers' && <SpecialOffers />}</ContentView>
}

function FrontPage({ collection }: { collection: 'home' | 'discover' }) {
  const { config } = useProgram()
  const { state } = useVisitor()
  const entries = useEntries(collection).map(({ fields }) => fields)
  return <ContentView fields={chooseByState(entries, state, config.copyStates)} />
}

function SpecialOffers() {
  return <OfferCards offers={[...useOffers('earn'), ...useOffers('enrollment')]} />
}
