import { getConsents } from '../../../identity/members/contract.ts'
import { loadNoticeChoices, NoticeChoices } from '../../../identity/notifications/member/embed/NoticeChoices.tsx'
import { ask, type PageArgs } from '../../../platform/browser/query.ts'
import { orSignIn } from '../../../platform/browser/redirects.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { ConsentCentre } from './ConsentCentre.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DownloadData } from './DownloadData.tsx'

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url } = args
  await orSignIn(cache.ensureQueryData(ask(api, getConsents, {})), url)
  await loadNoticeChoices(args)
}

/** Consents, data export and account deletion. */
export function Page() {
  const t = useCopy()
  return (
    <>
      <Meta title={t('privacy.title')} />
      <h2>{t('privacy.title')}</h2>
      <NoticeChoices />
      <ConsentCentre />
      <DownloadData />
      <DeleteAccount />
    </>
  )
}
