import { useRef, useState } from 'react'
import { apiQuery, apiQueryKey, type PageArgs, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
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
  await cache.ensure(apiQuery(api, getNotificationPreferences, {}))
}

/** The member's notification settings, for email and devices. */
export function NotificationSettings() {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const inBrowser = useHydrated()
  const preferences = useApiSuspenseQuery(getNotificationPreferences, {})
  const { choices } = preferences
  // The choices that are being saved, as shown.
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({})
  const saving = useRef(0)
  const updateCache = (preferences: Preferences) => cache.set(apiQueryKey(getNotificationPreferences, {}), preferences)
  const device = usePushDevice(preferences, updateCache)
  const preference = useApiMutation(setNotificationPreference, {
    queued: true,
    onSuccess(preferences) {
      updateCache(preferences)
      toasts.show({ id: 'notices', kind: 'success', message: t('notices.saved') })
    },
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })

  async function choose(topic: Topic, channel: Channel, wanted: boolean) {
    setTurned((others) => ({ ...others, [`${channel} ${topic}`]: wanted }))
    saving.current++
    await preference.run({ body: { topic, channel, wanted } })
    saving.current--
    // Now what is stored is shown: after a failure, and where another tab has changed it.
    if (saving.current === 0) setTurned({})
  }

  const turn = useApiMutation(device.toggle, {
    onSuccess: (message) =>
      toasts.show({ kind: message === 'notices.denied' ? 'warning' : 'success', message: t(message) }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })

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
                      onChange={(event) => void choose(choice.topic, channel, event.target.checked)}
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
          <Button
            type="button"
            variant="secondary"
            busy={turn.isPending ? t('page.loading') : false}
            onClick={() => turn.run()}
          >
            {t(device.state === 'on' ? 'notices.not_this_device' : 'notices.this_device')}
          </Button>
        </p>
      )}
    </section>
  )
}
