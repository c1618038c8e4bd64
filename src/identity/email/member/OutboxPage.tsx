import { ask, type PageArgs, useAnswer } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { listOutbox } from '../contract.ts'
import styles from './OutboxPage.module.css'

export async function load({ api, cache }: PageArgs): Promise<void> {
  await cache.fetchQuery({ ...ask(api, listOutbox, {}), staleTime: 0 })
}

/** All emails of the program as a member would read them, without a mail server. */
export function Page() {
  const t = useCopy()
  const { mails } = useAnswer(listOutbox, {})
  return (
    <div className={styles.page}>
      <Meta title={t('mail.outbox')} />
      <h1>{t('mail.outbox')}</h1>
      {mails.length === 0 && <EmptyState level={2} title={t('mail.none_title')} tagline={t('mail.none_tagline')} />}
      {mails.map((mail) => (
        <details key={mail.id} className={styles.mail}>
          <summary>
            <strong>{mail.subject}</strong> <Badge>{t(`mail.status_${mail.status}`)}</Badge>
          </summary>
          <p>
            {t('mail.to', { recipient: mail.recipient })}{' '}
            <a href={`/api/staging/outbox/${mail.id}`} target="_blank" rel="noopener">
              {t('mail.look')}
            </a>
          </p>
          {mail.text === '' ? <p>{t('mail.blanked')}</p> : <pre>{mail.text}</pre>}
          {mail.attachments.map(({ name, content }) => (
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
