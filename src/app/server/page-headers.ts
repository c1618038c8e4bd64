export interface PageSecurity {
  nonce: string
  /** The origins that a page may show in a frame. */
  frames: readonly string[]
  /** Other origins that scripts of a page may call. */
  calls: readonly string[]
  /** The one page that may show this one in a frame. */
  framedBy: string | null
  /** Other origins that pictures may come from. */
  pictures: readonly string[]
  scheme: 'http' | 'https'
  /** Vite's client needs inline styles and a socket. */
  development: boolean
}

/** The security headers of an HTML page: nothing runs, loads or frames that is not named here. */
export function pageHeaders({
  nonce,
  frames,
  calls,
  framedBy,
  pictures,
  scheme,
  development,
}: PageSecurity): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': ["'self'", 'data:', ...pictures].join(' '),
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
