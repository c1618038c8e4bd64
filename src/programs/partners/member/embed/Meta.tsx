import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { isMemberPage } from '../../rules.ts'
import { useProgram } from './use-program.ts'

/**
 * Title, description and keywords of the page. Each falls back separately: metadata of its path, then of the home
 * entry, then the partner's name. Without a title in its own metadata, the heading precedes the inherited title, so
 * that page titles are unique. `fullTitle` and `description` (of one restaurant or content entry) take precedence. Also
 * tells search engines the address of the page, or that they must not list it.
 */
export function Meta(page: {
  /** The page's heading. */
  title?: string | undefined
  /** Used without the inherited title. */
  fullTitle?: string | undefined
  description?: string | undefined
  /** The beginning of the page's own text; precedes the description of the home entry. */
  summary?: string | undefined
  /** What the page is for, in a program without any description. */
  purpose?: string
  /** Path whose metadata applies when it differs from the URL: `/not_found`, `/error`. */
  path?: string
  /** Path of the link preview image on our own origin; defaults to the program's image. */
  image?: string | undefined
  /** What the image shows. */
  imageAlt?: string | undefined
  /** Address on our own origin without what makes no other page; defaults to the path without the query. */
  canonical?: string
  /** Not for search engines, as are error pages and the pages of members. */
  unlisted?: boolean
}) {
  const { config, origin, previewImage } = useProgram()
  const { pathname } = useLocation()
  const own = config.routeMeta[page.path ?? pathname] ?? {}
  const home = config.routeMeta['/'] ?? {}
  const inherited = home.title ?? config.name
  const shown = page.fullTitle ?? own.title ?? withHeading(page.title, inherited, config.programName)
  const about = page.description ?? own.description ?? page.summary ?? home.description ?? page.purpose ?? config.name
  const keywords = own.keywords ?? home.keywords
  const isError = unlistedPaths.some((path) => path === pathname || path === page.path)
  const isListed = !page.unlisted && !isError && !isMemberPage(pathname)
  const url = origin + (page.canonical ?? pathname)
  const image = page.image ?? previewImage
  return (
    <>
      <title>{shown}</title>
      <meta name="description" content={about} />
      {keywords && <meta name="keywords" content={keywords} />}
      {!isListed && <meta name="robots" content="noindex" />}
      {isListed && <link rel="canonical" href={url} />}
      <meta property="og:title" content={shown} />
      <meta property="og:description" content={about} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={config.programName} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={origin + image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={page.imageAlt ?? config.programName} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

const unlistedPaths = ['/error', '/not_found']

// A heading such as "Join Example Dining" already contains the program's name.
function withHeading(heading: string | undefined, inherited: string, programName: string): string {
  if (!heading) return inherited
  return heading.includes(programName) ? heading : `${heading} · ${inherited}`
}
