import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { apiQueryKey, useApi, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../../programs/content/member/embed/use-failure-text.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { endOwnSession, listSessions, type OwnSession } from '../../contract.ts'

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Lists the member's sessions, each with a button to end it. */
export function OwnSessions() {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const sessions = useApiSuspenseQuery(listSessions, {})
  const [ending, setEnding] = useState<string | null>(null)

  async function end(id?: string) {
    setEnding(id ?? 'others')
    try {
      await api.call(endOwnSession, { query: { id } })
      toasts.show({ kind: 'success', message: t(id ? 'security.ended' : 'security.others_ended') })
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
    await cache.invalidateQueries({ queryKey: apiQueryKey(listSessions) })
    setEnding(null)
  }

  return (
    <section className={styles.part}>
      <h3>{t('security.sessions')}</h3>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionFacts session={session} />
            {!session.current && (
              <Button
                type="button"
                variant="quiet"
                busy={ending === session.id ? t('form.busy') : false}
                onClick={() => end(session.id)}
              >
                {t('security.end')}
                <span className="visually-hidden"> {session.device}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          type="button"
          variant="secondary"
          busy={ending === 'others' ? t('form.busy') : false}
          onClick={() => end()}
        >
          {t('security.end_others')}
        </Button>
      )}
    </section>
  )
}

function SessionFacts({ session }: { session: OwnSession }) {
  const t = useCopy()
  return (
    <div>
      <p>
        <strong>{session.device || t('security.unknown_device')}</strong>{' '}
        {session.current && <Badge>{t('security.this_one')}</Badge>}{' '}
        {session.remembered && <Badge>{t('security.stays')}</Badge>}
      </p>
      <p className={styles.muted} suppressHydrationWarning>
        {t('security.began', {
          date: moment.format(new Date(session.beganAt)),
          how: t(`security.began_${session.beganWith}`),
        })}
      </p>
    </div>
  )
}
