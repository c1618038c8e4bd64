import { request } from 'node:http'
import type { Settings } from '../src/platform/config/settings.ts'
import { signatureHeaders } from '../src/platform/security/webhook-signature.ts'
import { programOrigin } from '../src/programs/partners/hosts.ts'
import { feedKey } from '../src/rewards/feed/feed-key.ts'

export interface FeedResponse {
  status: number
  text: string
}

/** URL of the partner's feed. */
function feedUrl(settings: Settings, partner: string, path: string): string {
  return programOrigin(settings, partner) + path
}

/**
 * Calls the running app as a partner's card network does: signed, at the partner's own address. Throws when the app is
 * unreachable.
 */
export function callFeed(
  settings: Settings,
  partner: string,
  { path, body, type = 'application/json' }: { path: string; body: string; type?: string },
): Promise<FeedResponse> {
  const url = feedUrl(settings, partner, path)
  const headers = {
    ...signatureHeaders(feedKey(settings.FEED_SECRET, partner), { body, url }, Date.now()),
    'content-type': type,
    host: new URL(url).host,
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: settings.PORT, method: 'POST', path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      const isGone = error.code === 'ECONNREFUSED'
      reject(isGone ? new Error(`The app does not run on port ${settings.PORT}. Start it first: npm start`) : error)
    })
    call.end(body)
  })
}
