export interface PageSecurity {
  nonce: string
  /** Origins that the page may show in frames. */
  frames: readonly string[]
  /** Other origins that the page's scripts may call. */
  calls: readonly string[]
  /** The only origin that may show this page in a frame, or null. */
  framedBy: string | null
  /** Other origins of images. */
  imageOrigins: readonly string[]
  scheme: 'http' | 'https'
  /** Vite's client needs inline styles and a WebSocket. */
  development: boolean
}

/** Returns the security headers of an HTML page: only the listed sources may run, load or frame. */
export function pageHeaders({
  nonce,
  frames,
  calls,
  framedBy,
  imageOrigins,
  scheme,
  development,
}: PageSecurity): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': ["'self'", 'data:', ...imageOrigins].join(' '),
    'font-src': "'self'",
    'connect-src': ["'self'", ...calls, ...(development ? ['ws:'] : [])].join(' '),
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'frame-src': frames.join(' '),
    'frame-ancestors': framedBy ?? "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    ...(framedBy === null && { 'x-frame-options': 'DENY' }),
    'permissions-policy': 'camera=(), microphone=(), payment=(), geolocation=(self)',
    ...(scheme === 'https' && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}
