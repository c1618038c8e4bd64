import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { apiQueryKey, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { useLocalTime } from '../../../../platform/browser/use-local-time.ts'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { endOwnSession, listSessions, type OwnSession } from '../../contract.ts'
import { listPasskeys } from '../../passkeys/contract.ts'

/** Lists the member's sessions, each with a button to end it. */
export function OwnSessions() {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const sessions = useApiSuspenseQuery(listSessions, {})
  const passkeys = useApiSuspenseQuery(listPasskeys, {})
  const { run, pending } = useApiMutation(endOwnSession, {
    queued: true,
    onSuccess: (_result, { query }) =>
      toasts.show({ kind: 'success', message: query.id ? endedText(query.id) : othersEndedText() }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
    onSettled: () => cache.invalidate(apiQueryKey(listSessions)),
  })
  const endedText = (ended: string) =>
    t(sessions.find(({ id }) => id === ended)?.isSignedIn === false ? 'security.ended_notices' : 'security.ended')
  function othersEndedText(): string {
    if (passkeys.length === 0) return t('security.others_ended')
    return t('security.others_ended_passkeys', { passkeys: passkeys.map(({ name }) => name).join(', ') })
  }
  const end = (id?: string) => void run({ query: { id } })
  const ending = pending && (pending.query.id ?? 'others')

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
                {t(session.isSignedIn ? 'security.end' : 'security.end_notices')}
                <span className="visually-hidden"> {session.device || t('security.unknown_device')}</span>
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
  const moment = useLocalTime('moment')
  return (
    <div>
      <p>
        <strong>{session.device || t('security.unknown_device')}</strong>{' '}
        {session.current && <Badge>{t('security.this_one')}</Badge>}{' '}
        {session.remembered && <Badge>{t('security.stays')}</Badge>}{' '}
        {session.getsNotifications && <Badge>{t('security.notified')}</Badge>}
      </p>
      <p className={styles.muted}>
        {session.isSignedIn
          ? t('security.began', { date: moment(session.beganAt), how: t(`security.began_${session.beganWith}`) })
          : t('security.notified_since', { date: moment(session.beganAt) })}
      </p>
    </div>
  )
}
