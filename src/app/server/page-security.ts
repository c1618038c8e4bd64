import { defaultPolicyScript, htmlPolicy } from '../../platform/browser/trusted-types.ts'
import { csp, hashSource, NONE, SELF, UNSAFE_INLINE } from '../../platform/http/csp.ts'
import type { Boot } from '../web/boot.ts'
import { loaderScript } from '../web/page-data.ts'

export interface PageSecurityDeps extends Pick<Boot, 'botCheck' | 'cardProvider' | 'mapTiles' | 'adTagUrl'> {
  web: { scripts(): { entry: string } }
  vaultOrigin: string
  formsOrigin: string
  consoleOrigin: string
  development: boolean
}

export interface PageSecurity {
  /** The only inline script: it loads the others. */
  loader: string
  /**
   * Returns the security headers of a page: only the listed sources may run, load or frame. `style` is the source that
   * allows its inline style; empty when it has none.
   */
  headers(style: string, options: { isOperator: boolean }): Record<string, string>
}

/** Creates the security headers of an installation's pages, and the script that they allow. */
export function createPageSecurity(deps: PageSecurityDeps): PageSecurity {
  const entry = loaderScript(deps.web.scripts().entry)
  // The provider's script is added to pages of cards.
  const policy = requiresTrustedTypes(deps) ? defaultPolicyScript([new URL(deps.cardProvider.script).origin]) : ''
  const loader = policy + entry
  // Only the console may frame the app, and only for operators.
  const visitor = pageHeaders(deps, loader, null)
  const operator = pageHeaders(deps, loader, deps.consoleOrigin)
  return {
    loader,
    headers(style, { isOperator }) {
      const headers = isOperator ? operator : visitor
      if (style === '') return headers
      const directives = headers['content-security-policy'] as string
      return { ...headers, 'content-security-policy': directives.replace(`style-src 'self'`, `$& ${style}`) }
    },
  }
}

// Scripts of others may write HTML into the page; so does Vite's client.
const requiresTrustedTypes = ({ development, botCheck, adTagUrl }: PageSecurityDeps) =>
  !development && botCheck.kind !== 'recaptcha' && adTagUrl === null

/** `framedBy` is the only origin that may show the page in a frame, or null. */
function pageHeaders(deps: PageSecurityDeps, loader: string, framedBy: string | null): Record<string, string> {
  const { vaultOrigin, formsOrigin, development, mapTiles, botCheck, cardProvider } = deps
  const checkOrigins = botCheck.kind === 'recaptcha' ? [new URL(botCheck.script).origin] : []
  const policy = csp({
    'default-src': NONE,
    'script-src': [hashSource(loader), "'strict-dynamic'"],
    // Vite's client needs inline styles and a WebSocket.
    'style-src': development ? [SELF, UNSAFE_INLINE] : SELF,
    'img-src': [SELF, 'data:', ...(mapTiles ? [new URL(mapTiles.url).origin] : [])],
    'font-src': SELF,
    'connect-src': [SELF, new URL(cardProvider.script).origin, ...checkOrigins, ...(development ? ['ws:'] : [])],
    'manifest-src': SELF,
    'worker-src': SELF,
    'frame-src': [vaultOrigin, formsOrigin, ...checkOrigins],
    'frame-ancestors': framedBy ?? NONE,
    'form-action': SELF,
    'base-uri': NONE,
    ...(requiresTrustedTypes(deps) && {
      'require-trusted-types-for': "'script'",
      'trusted-types': ['default', htmlPolicy],
    }),
  })
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    ...(framedBy === null && { 'x-frame-options': 'DENY' }),
    'permissions-policy': 'camera=(), microphone=(), payment=(), geolocation=(self)',
  }
}
