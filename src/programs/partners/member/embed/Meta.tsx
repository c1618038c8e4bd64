import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useProgram } from './use-program.ts'

/**
 * Title, description and keywords of the page. Each falls back separately: metadata of its path, then of the home
 * entry, then the partner's name. Without a title in its own metadata, the heading precedes the inherited title, so
 * that page titles are unique. `fullTitle` and `description` (of one restaurant or content entry) take precedence.
 */
export function Meta(page: {
  /** The page's heading. */
  title?: string | undefined
  /** Used without the inherited title. */
  fullTitle?: string | undefined
  description?: string | undefined
  /** Path whose metadata applies when it differs from the URL: `/not_found`, `/error`. */
  path?: string
  /** Path of the link preview image on our own origin. */
  image?: string | undefined
}) {
  const { config, origin } = useProgram()
  const { pathname } = useLocation()
  const own = config.routeMeta[page.path ?? pathname] ?? {}
  const home = config.routeMeta['/'] ?? {}
  const inherited = home.title ?? config.name
  const shown = page.fullTitle ?? own.title ?? withHeading(page.title, inherited, config.programName)
  const about = page.description ?? own.description ?? home.description ?? config.name
  const keywords = own.keywords ?? home.keywords
  return (
    <>
      <title>{shown}</title>
      <meta name="description" content={about} />
      {keywords && <meta name="keywords" content={keywords} />}
      <meta property="og:title" content={shown} />
      <meta property="og:description" content={about} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={config.programName} />
      <meta property="og:url" content={`${origin}${pathname}`} />
      {page.image && <meta property="og:image" content={`${origin}${page.image}`} />}
      <meta name="twitter:card" content={page.image ? 'summary_large_image' : 'summary'} />
    </>
  )
}

// A heading such as "Join Example Dining" already contains the program's name.
function withHeading(heading: string | undefined, inherited: string, programName: string): string {
  if (!heading) return inherited
  return heading.includes(programName) ? heading : `${heading} · ${inherited}`
}
