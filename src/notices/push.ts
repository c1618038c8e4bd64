import { createECDH } from 'node:crypto'
import webPush from 'web-push'
import { outboundFetch } from '../kit/server/loopback.ts'
import { deriveKey } from '../kit/server/settings.ts'
import { DAY, SECOND } from '../kit/time.ts'
import type { Subscription } from './store.ts'

/** What a worker shows. */
export interface PushMessage {
  title: string
  body: string
  /** Where a press leads. */
  url: string
  /** Later ones with the same tag take the place of earlier ones. */
  tag: string
}

export interface Push {
  /** What browsers subscribe with. */
  publicKey: string
  /** Hosts of push services of one's own. */
  ownHosts: readonly string[]
  /** `gone`: the browser is no longer there; `later`: its service does not answer now. */
  send(subscription: Subscription, message: PushMessage): Promise<'sent' | 'gone' | 'later'>
}

/** Web push (RFC 8291 and 8292): encrypted for the browser, signed with a key made of the installation's secret. */
export function createPush(
  appSecret: string,
  { contact, ownHosts }: { contact: string; ownHosts: readonly string[] },
): Push {
  const scalar = deriveKey(appSecret, 'web-push')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const publicKey = curve.getPublicKey().toString('base64url')
  const privateKey = scalar.toString('base64url')
  const vapidDetails = { subject: contact, publicKey, privateKey }
  // What is wrong with these is found now, not with the first notice.
  webPush.getVapidHeaders('https://push.example.com', contact, publicKey, privateKey, 'aes128gcm')

  /** Null when the browser's keys are none: a subscription that can never be told. */
  function requestOf({ endpoint, p256dh, auth }: Subscription, message: PushMessage) {
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        { vapidDetails, TTL: DAY / SECOND, contentEncoding: 'aes128gcm' },
      )
      return { headers: headers as Record<string, string>, body: new Uint8Array(body as Buffer) }
    } catch {
      return null
    }
  }

  return {
    publicKey,
    ownHosts,
    async send(subscription, message) {
      const request = requestOf(subscription, message)
      if (!request) return 'gone'
      const answer = await outboundFetch(subscription.endpoint, {
        method: 'POST',
        ...request,
        redirect: 'error',
      }).catch(() => null)
      if (!answer) return 'later'
      if (answer.ok) return 'sent'
      // What the service will never take is as good as gone; what it is too busy for is not.
      return answer.status === 429 || answer.status >= 500 ? 'later' : 'gone'
    },
  }
}
