import { useState } from 'react'
import { type ConsentCenter as Center, chooseConsent, getConsents } from '../../../identity/members/contract.ts'
import { useMember, useRefreshMember } from '../../../identity/members/member/embed/use-member.ts'
import { apiQueryKey, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { describeRate } from '../../../programs/partners/rates.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import styles from './Privacy.module.css'

type Choice = Center['choices'][number]
type ConsentEntry = Center['history'][number]

/** A toggle for each channel and topic, and the history of consents. */
export function ConsentCenter() {
  const t = useCopy()
  const { choices, history } = useApiSuspenseQuery(getConsents, {})
  const { choose, busy } = useChoose()
  const [withdrawing, setWithdrawing] = useState<Choice | null>(null)

  function turn(choice: Choice) {
    // Shows the consequences before withdrawing the consent.
    if (choice.channel === 'email' && choice.granted) return setWithdrawing(choice)
    void choose(choice, !choice.granted)
  }

  return (
    <section className={styles.part}>
      <h3>{t('privacy.consents')}</h3>
      <p>{t('privacy.consents_lead')}</p>
      {choices.length === 0 && <p className={styles.muted}>{t('privacy.no_topics')}</p>}
      <ul className={styles.choices}>
        {choices.map((choice) => (
          <li key={choice.channel + choice.topic}>
            <CheckboxField
              label={t(`privacy.${choice.channel}_${choice.topic}`)}
              checked={choice.granted}
              disabled={busy}
              onChange={() => turn(choice)}
            />
            <p className={styles.consentText}>{choice.wording}</p>
          </li>
        ))}
      </ul>
      {withdrawing && (
        <WithdrawConsentDialog
          onClose={() => setWithdrawing(null)}
          onAnyway={() => {
            setWithdrawing(null)
            void choose(withdrawing, false)
          }}
        />
      )}
      <History history={history} />
    </section>
  )
}

function useChoose() {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const refreshMember = useRefreshMember()
  const { run, isPending } = useApiMutation(chooseConsent, {
    async onSuccess(center) {
      cache.set(apiQueryKey(getConsents, {}), center)
      toasts.show({ kind: 'success', message: t('privacy.saved') })
      await refreshMember()
    },
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })
  const choose = ({ channel, topic }: Choice, granted: boolean) => run({ body: { channel, topic, granted } })
  return { choose, busy: isPending }
}

/** Compares the rate without offers with the member's present rate. */
function WithdrawConsentDialog({ onClose, onAnyway }: { onClose: () => void; onAnyway: () => void }) {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  if (!member) return null
  const now = describeRate(config, member.tierLevel)
  const without = describeRate(config, member.tierLevel === 'OptedIn' ? 'OptedOut' : member.tierLevel)
  const loses = now !== without
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(loses ? 'privacy.lose_title' : 'privacy.email_offers')}
      closeLabel={t('dialog.close')}
    >
      <p>{t(loses ? 'privacy.lose' : 'privacy.lose_same', { now, without })}</p>
      <div className={styles.actions}>
        <Button type="button" onClick={onClose}>
          {t('privacy.lose_cancel')}
        </Button>
        <Button type="button" variant="quiet" onClick={onAnyway}>
          {t('privacy.lose_anyway')}
        </Button>
      </div>
    </Dialog>
  )
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function History({ history }: { history: readonly ConsentEntry[] }) {
  const t = useCopy()
  if (history.length === 0) return null
  return (
    <details className={styles.history}>
      <summary>{t('privacy.history')}</summary>
      <ol>
        {history.map((entry) => (
          <li key={entry.at + entry.channel + entry.topic}>
            <p>{entry.wording}</p>
            <p className={styles.muted}>
              {t('privacy.said', {
                answer: t(entry.granted ? 'privacy.said_yes' : 'privacy.said_no'),
                date: `${moment.format(new Date(entry.at))} GMT`,
                source: t(`privacy.source_${entry.source}`),
                version: entry.version,
              })}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}
