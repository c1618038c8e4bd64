import { useLocation } from 'react-router'
import { useProgram } from './use-program.ts'

/**
 * Title, description and keywords of the page, field by field: the metadata of its path, then that of the home entry,
 * then the partner's name. A page without a title in the metadata has its heading before the inherited title, so that
 * no two pages share one. `fullTitle` and `description` are about one restaurant or one entry of the content, and win.
 */
export function Meta(page: {
  /** The page's heading. */
  title?: string | undefined
  /** Stands alone. */
  fullTitle?: string | undefined
  description?: string | undefined
  /** The path whose metadata counts, where the page stands in for another: `/not_found`, `/error`. */
  path?: string
  /** The address of a picture that goes with a link to the page, on our own origin. */
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

// "Join Example Dining" is enough: the program's name is in it.
function withHeading(heading: string | undefined, inherited: string, programName: string): string {
  if (!heading) return inherited
  return heading.includes(programName) ? heading : `${heading} · ${inherited}`
}
