import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { MerchantReadModel } from '../../dining/merchants/search/read-model.ts'
import { escapeHtml } from '../../platform/html.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { EncodedBody } from '../../platform/http/encoded-body.ts'
import { programVersion } from '../../programs/content/program-version.ts'

export interface SitemapDeps {
  model: Pick<MerchantReadModel, 'cities' | 'list' | 'size' | 'version'>
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** Maximum number of addresses in one file; at most 50,000 (sitemaps.org). */
  maxAddresses?: number
}

interface Address {
  path: string
  /** Date of the last change, when it is known. */
  changedOn?: string
}

const maxCachedBytes = 64 * 1024 * 1024
/** Number of addresses that are written before other requests are served. */
const writtenAtOnce = 5_000

/**
 * Creates the sitemaps of all programs (sitemaps.org): one file, or an index of files when there are too many addresses
 * for one. Files are cached until restaurants, content or flags change, and written in parts, so that a large one does
 * not delay other requests.
 */
export function createSitemaps({ model, origin, maxAddresses = 50_000 }: SitemapDeps) {
  const files = new LRUCache<string, EncodedBody, { ctx: Ctx; file: number | null }>({
    maxSize: maxCachedBytes,
    sizeCalculation: (body) => body.maxBytes,
    fetchMethod: async (_key, _stale, { context: { ctx, file } }) => new EncodedBody(await write(ctx, file)),
  })

  async function write(ctx: Ctx, file: number | null): Promise<string> {
    const pages = pagesOf(ctx, model)
    const total = pages.length + model.size
    const site = origin(ctx.partnerId)
    if (file === null && total > maxAddresses) return indexFile(site, Math.ceil(total / maxAddresses))
    const first = (file ?? 0) * maxAddresses
    const parts: string[] = []
    for (let from = first; from < Math.min(total, first + maxAddresses); from += writtenAtOnce) {
      if (from > first) await setImmediate()
      const count = Math.min(writtenAtOnce, first + maxAddresses - from)
      parts.push(
        addressesIn(pages, from, count)
          .map((address) => urlElement(site, address))
          .join(''),
      )
    }
    return `${head}<urlset xmlns="${namespace}">\n${parts.join('')}</urlset>\n`
  }

  function addressesIn(pages: readonly Address[], from: number, count: number): Address[] {
    const some = pages.slice(from, from + count)
    if (some.length === count) return some
    const merchants = model.list(Math.max(0, from - pages.length), count - some.length)
    return [
      ...some,
      ...merchants.map(({ publicId, updatedOn }) => ({ path: `/merchants/${publicId}`, changedOn: updatedOn })),
    ]
  }

  return {
    /** Returns `/sitemap.xml` (null) or the file with this number from 0; undefined when there is none. */
    async find(ctx: Ctx, file: number | null): Promise<EncodedBody | undefined> {
      const isPart = file !== null
      if (isPart && file * maxAddresses >= pagesOf(ctx, model).length + model.size) return undefined
      const key = [ctx.partnerId, programVersion(ctx), model.version, file ?? 'all'].join(' ')
      return files.fetch(key, { context: { ctx, file } })
    },
  }
}

export type Sitemaps = ReturnType<typeof createSitemaps>

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Returns the address of a file with addresses, by its number from 0. */
const fileHref = (file: number) => `/sitemap/${file + 1}.xml`

function indexFile(site: string, files: number): string {
  const elements = Array.from(
    { length: files },
    (_, file) => `<sitemap><loc>${site}${fileHref(file)}</loc></sitemap>\n`,
  )
  return `${head}<sitemapindex xmlns="${namespace}">\n${elements.join('')}</sitemapindex>\n`
}

function urlElement(site: string, { path, changedOn }: Address): string {
  const changed = changedOn ? `<lastmod>${changedOn}</lastmod>` : ''
  return `<url><loc>${escapeHtml(site + path)}</loc>${changed}</url>\n`
}

/** Returns the pages of a program except those of restaurants. */
function pagesOf(ctx: Ctx, { cities }: Pick<MerchantReadModel, 'cities'>): Address[] {
  const { config } = ctx.program
  const fixed = [
    '/',
    // Where it is the home page, that one is listed.
    ...(config.hasDiscoverPage && config.homePage !== 'Discover' ? ['/discover'] : []),
    '/earn',
    '/search',
    '/restaurants',
    ...(config.enrollmentType === 'direct' ? ['/join'] : []),
  ]
  const listed = new Set([...fixed, ...contentPaths(ctx)])
  const ofCities = cities
    .all()
    .flatMap(({ slug, updatedOn, cuisines }) => [
      { path: `/restaurants/${slug}`, changedOn: updatedOn },
      ...cuisines.map((each) => ({ path: `/restaurants/${slug}/${each.slug}`, changedOn: each.updatedOn })),
    ])
  return [...[...listed].map((path) => ({ path })), ...ofCities]
}

/** Returns the paths of content pages that have a route. */
function contentPaths({ content, program }: Ctx): string[] {
  const { extraPaths } = program.config
  return (content.shown.collections.earn_details ?? [])
    .map(({ fields }) => String(fields.url))
    .filter((url) => url === '/how-it-works' || /^\/earn\/[\w/-]+$/.test(url) || extraPaths.includes(url))
}
