import { useEffect, useState } from 'react'
import type { SendWrite } from '../../../../platform/browser/write-api.ts'
import { type NotificationPreferences, subscribePush, unsubscribePush } from '../../contract.ts'

export interface PushDevice {
  state: 'unsupported' | 'off' | 'on'
  /** Toggles push notifications on this device. Returns the message key of the result. */
  toggle(send: SendWrite): Promise<'notices.device_on' | 'notices.device_off' | 'notices.denied'>
}

/** Returns the push subscription state of this browser and its toggle. */
export function usePushDevice(
  { publicKey, endpointHashes }: NotificationPreferences,
  onChange: (choices: NotificationPreferences) => void,
): PushDevice {
  const [state, setState] = useState<PushDevice['state']>('off')
  useEffect(() => {
    const able = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
    if (!able) return setState('unsupported')
    // The server may have ended it: by signing out here or elsewhere, or by a new password.
    void isListed(endpointHashes).then((listed) => setState(listed ? 'on' : 'off'))
  }, [endpointHashes])

  async function turnOff(send: SendWrite, found: PushSubscription) {
    onChange(await send(unsubscribePush, { body: { endpoint: found.endpoint } }))
    await found.unsubscribe()
    setState('off')
    return 'notices.device_off' as const
  }

  async function turnOn(send: SendWrite) {
    if ((await Notification.requestPermission()) !== 'granted') return 'notices.denied' as const
    const worker = await navigator.serviceWorker.ready
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const { keys = {} } = made.toJSON()
    const { p256dh = '', auth = '' } = keys
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    try {
      onChange(await send(subscribePush, { body: { endpoint: made.endpoint, keys: { p256dh, auth }, timeZone } }))
    } catch (error) {
      // The next visit would show it as on, though the server does not know it.
      await made.unsubscribe()
      throw error
    }
    setState('on')
    return 'notices.device_on' as const
  }

  return {
    state,
    async toggle(send) {
      const found = await subscription()
      return found && state === 'on' ? turnOff(send, found) : turnOn(send)
    },
  }
}

/** Returns whether this browser's subscription is one of those that the server sends to. */
async function isListed(endpointHashes: readonly string[]): Promise<boolean> {
  const found = await subscription()
  if (!found) return false
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(found.endpoint))
  return endpointHashes.includes(
    Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  )
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}
