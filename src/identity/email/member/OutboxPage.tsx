import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { listOutbox } from '../contract.ts'
import styles from './OutboxPage.module.css'

export async function load({ api, cache }: PageArgs): Promise<void> {
  await cache.fetch({ ...apiQuery(api, listOutbox, {}), staleTime: 0 })
}

/** All emails of the program as a member would read them, without a mail server. */
export function Page() {
  const t = useCopy()
  const { mails } = useApiSuspenseQuery(listOutbox, {})
  return (
    <div className={styles.page}>
      <Meta title={t('mail.outbox')} />
      <h1>{t('mail.outbox')}</h1>
      {mails.length === 0 && <EmptyState level={2} title={t('mail.none_title')} tagline={t('mail.none_tagline')} />}
      {mails.map((email) => (
        <details key={email.id} className={styles.email}>
          <summary>
            <strong>{email.subject}</strong> <Badge>{t(`mail.status_${email.status}`)}</Badge>
          </summary>
          <p>
            {t('mail.to', { recipient: email.recipient })}{' '}
            <a href={`/api/staging/outbox/${email.id}`} target="_blank" rel="noopener">
              {t('mail.look')}
            </a>
          </p>
          {email.text === '' ? <p>{t('mail.redacted')}</p> : <pre>{email.text}</pre>}
          {email.attachments.map(({ name, content }) => (
            <details key={name}>
              <summary>{name}</summary>
              <pre>{content}</pre>
            </details>
          ))}
        </details>
      ))}
    </div>
  )
}
