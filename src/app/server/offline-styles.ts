import type { PwaDeps } from '../../programs/pwa/routes.ts'
import type { WebBundle } from './pages.ts'

/** Returns the styles of the page that the service worker shows offline, by theme type. */
export function offlineStyles(web: WebBundle | null): PwaDeps['styles'] {
  return (type) => {
    const { stylesheet = null, fontStyles } = web?.inline ?? {}
    // Without built pages, in development, the fonts are among the stylesheets.
    if (!fontStyles) return { links: web?.styles(type) ?? [], fonts: '' }
    return { links: stylesheet === null ? [] : [stylesheet], fonts: fontStyles(type) }
  }
}
