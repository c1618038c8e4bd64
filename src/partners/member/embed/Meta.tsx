import { useLocation } from 'react-router'
import { useProgram } from './use-program.ts'

/**
 * Title, description and keywords of the page: what the page itself says, else the route's metadata, else
 * those of the home entry, field by field; the partner's name comes last.
 */
export function Meta(page: {
  /** Stands before the program's name. */
  title?: string | undefined
  /** Stands alone. */
  fullTitle?: string | undefined
  description?: string | undefined
  /** The address of a picture that goes with a link to the page, on our own origin. */
  image?: string | undefined
}) {
  const { config, origin } = useProgram()
  const { pathname } = useLocation()
  const own = config.routeMeta[pathname] ?? {}
  const home = config.routeMeta['/'] ?? {}
  const heading = page.fullTitle ?? (page.title ? `${page.title} · ${config.programName}` : undefined)
  const shown = heading ?? own.title ?? home.title ?? config.name
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
