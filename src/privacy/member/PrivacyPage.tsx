import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { ask, type PageArgs } from '../../kit/web/query.ts'
import { orSignIn } from '../../kit/web/redirects.ts'
import { getConsents } from '../../members/contract.ts'
import { loadNoticeChoices, NoticeChoices } from '../../notices/member/embed/NoticeChoices.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'
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
