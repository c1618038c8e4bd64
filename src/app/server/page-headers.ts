import { csp, hashSource, NONE, SELF, UNSAFE_INLINE } from '../../platform/http/csp.ts'

export interface PageSecurity {
  /** The only inline script: it loads the others. */
  loader: string
  /** Origins that the page may show in frames. */
  frames: readonly string[]
  /** Other origins that the page's scripts may call. */
  calls: readonly string[]
  /** The only origin that may show this page in a frame, or null. */
  framedBy: string | null
  /** Other origins of images. */
  imageOrigins: readonly string[]
  /** Vite's client needs inline styles and a WebSocket. */
  development: boolean
}

/** Returns the security headers of an HTML page: only the listed sources may run, load or frame. */
export function pageHeaders({
  loader,
  frames,
  calls,
  framedBy,
  imageOrigins,
  development,
}: PageSecurity): Record<string, string> {
  const policy = csp({
    'default-src': NONE,
    'script-src': [hashSource(loader), "'strict-dynamic'"],
    'style-src': development ? [SELF, UNSAFE_INLINE] : SELF,
    'img-src': [SELF, 'data:', ...imageOrigins],
    'font-src': SELF,
    'connect-src': [SELF, ...calls, ...(development ? ['ws:'] : [])],
    'manifest-src': SELF,
    'worker-src': SELF,
    'frame-src': frames,
    'frame-ancestors': framedBy ?? NONE,
    'form-action': SELF,
    'base-uri': NONE,
  })
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    ...(framedBy === null && { 'x-frame-options': 'DENY' }),
    'permissions-policy': 'camera=(), microphone=(), payment=(), geolocation=(self)',
  }
}
