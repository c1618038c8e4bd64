import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  apiQueryKey,
  type PageArgs,
  useApi,
  useApiSuspenseQuery,
} from '../../../../platform/browser/query.ts'
import { redirectOn401 } from '../../../../platform/browser/redirects.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../../programs/content/member/embed/use-failure-text.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import {
  getNotificationPreferences,
  type NotificationPreferences as Preferences,
  setNotificationPreference,
} from '../../contract.ts'
import { type Channel, channels, type Topic } from '../../rules.ts'
import styles from './NotificationSettings.module.css'
import { usePushDevice } from './use-push-device.ts'

export async function loadNotificationSettings({ api, cache }: PageArgs): Promise<void> {
  await cache.ensureQueryData(apiQuery(api, getNotificationPreferences, {}))
}

/** The member's notification settings, for email and devices. */
export function NotificationSettings() {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const inBrowser = useHydrated()
  const failureText = useFailureText()
  const { choices, publicKey } = useApiSuspenseQuery(getNotificationPreferences, {})
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({})
  const [busy, setBusy] = useState(false)
  const updateCache = (preferences: Preferences) =>
    cache.setQueryData(apiQueryKey(getNotificationPreferences, {}), preferences)
  const device = usePushDevice(publicKey, updateCache)

  async function choose(topic: Topic, channel: Channel, wanted: boolean) {
    // Optimistic update; reverted on failure.
    const show = (value: boolean) => setTurned((others) => ({ ...others, [`${channel} ${topic}`]: value }))
    show(wanted)
    try {
      updateCache(await api.call(setNotificationPreference, { body: { topic, channel, wanted } }))
      toasts.show({ id: 'notices', kind: 'success', message: t('notices.saved') })
    } catch (error) {
      show(!wanted)
      if (!redirectOn401(error)) toasts.show({ kind: 'error', message: failureText(error) })
    }
  }

  async function turnDevice() {
    setBusy(true)
    try {
      const message = await device.toggle()
      toasts.show({ kind: message === 'notices.denied' ? 'warning' : 'success', message: t(message) })
    } catch (error) {
      if (!redirectOn401(error)) toasts.show({ kind: 'error', message: failureText(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.part}>
      <h3>{t('notices.title')}</h3>
      <p>{t('notices.lead')}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('notices.topic')}</th>
            {channels.map((channel) => (
              <th scope="col" key={channel}>
                {t(`notices.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {choices.map((choice) => (
            <tr key={choice.topic}>
              <th scope="row">{t(`notices.topic_${choice.topic}`)}</th>
              {channels.map((channel) => (
                <td key={channel}>
                  <label className={styles.choice}>
                    <input
                      type="checkbox"
                      // Before hydration, a click would show a choice that is not stored.
                      disabled={!inBrowser}
                      aria-label={`${t(`notices.${channel}`)}: ${t(`notices.topic_${choice.topic}`)}`}
                      checked={turned[`${channel} ${choice.topic}`] ?? choice[channel]}
                      onChange={(event) => choose(choice.topic, channel, event.target.checked)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {device.state === 'unsupported' ? (
        <p className={styles.muted}>{t('notices.unsupported')}</p>
      ) : (
        <p>
          <Button type="button" variant="secondary" busy={busy ? t('page.loading') : false} onClick={turnDevice}>
            {t(device.state === 'on' ? 'notices.not_this_device' : 'notices.this_device')}
          </Button>
        </p>
      )}
    </section>
  )
}
