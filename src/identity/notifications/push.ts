import { createECDH } from 'node:crypto'
import { deriveKey } from '../../platform/config/settings.ts'
import { outboundFetch } from '../../platform/http/outbound-fetch.ts'
import { DAY, SECOND } from '../../platform/time.ts'
import type { Subscription } from './store.ts'

/** Payload that the service worker displays. */
export interface PushMessage {
  title: string
  body: string
  /** URL to open on click. */
  url: string
  /** A later notification with the same tag replaces the earlier one. */
  tag: string
}

export interface Push {
  /** VAPID public key for subscriptions. */
  publicKey: string
  /** Hosts of additional push services. */
  additionalHosts: readonly string[]
  /** Returns `gone` when the subscription no longer exists, and `later` when the push service is unavailable. */
  send(subscription: Subscription, message: PushMessage): Promise<'sent' | 'gone' | 'later'>
}

/**
 * Web push (RFC 8291 and 8292): encrypted for the browser, signed with a key derived from the installation's secret.
 */
export function createPush(
  appSecret: string,
  { contact, additionalHosts }: { contact: string; additionalHosts: readonly string[] },
): Push {
  const scalar = deriveKey(appSecret, 'web-push')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const publicKey = curve.getPublicKey().toString('base64url')
  const privateKey = scalar.toString('base64url')
  const vapidDetails = { subject: contact, publicKey, privateKey }

  /** Returns null when the subscription's keys are invalid, so that it can never be used. */
  async function buildRequest({ endpoint, p256dh, auth }: Subscription, message: PushMessage) {
    // Loaded with the first notification, so that no start waits for it.
    const { default: webPush } = await import('web-push')
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
    additionalHosts,
    async send(subscription, message) {
      const request = await buildRequest(subscription, message)
      if (!request) return 'gone'
      const response = await outboundFetch(subscription.endpoint, {
        method: 'POST',
        ...request,
        redirect: 'error',
      }).catch(() => null)
      if (!response) return 'later'
      if (response.ok) return 'sent'
      // A permanent rejection counts as gone; an overloaded service does not.
      return response.status === 429 || response.status >= 500 ? 'later' : 'gone'
    },
  }
}
