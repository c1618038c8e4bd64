import { getConsents } from '../../../identity/members/contract.ts'
import {
  loadNotificationSettings,
  NotificationSettings,
} from '../../../identity/notifications/member/embed/NotificationSettings.tsx'
import { apiQuery, type PageArgs } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { ConsentCenter } from './ConsentCenter.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DownloadData } from './DownloadData.tsx'

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url } = args
  await signInOn401(cache.ensure(apiQuery(api, getConsents, {})), url)
  await loadNotificationSettings(args)
}

/** Consents, data export and account deletion. */
export function Page() {
  const t = useCopy()
  return (
    <>
      <Meta title={t('privacy.title')} />
      <h2>{t('privacy.title')}</h2>
      <NotificationSettings />
      <ConsentCenter />
      <DownloadData />
      <DeleteAccount />
    </>
  )
}
