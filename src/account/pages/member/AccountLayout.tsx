import type { ReactNode } from 'react'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { sessionEnd } from '../../../identity/session/member/embed/session-end.ts'
import { signInPath } from '../../../platform/browser/redirects.ts'
import { Navigate } from '../../../platform/browser/router/Link.tsx'
import { useLocation, usePendingLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { accountLinks } from '../../../programs/content/member/embed/links.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { NavTabs } from '../../../ui/NavTabs.tsx'
import { fixCredentialsPath } from '../rules.ts'
import styles from './AccountLayout.module.css'
import { LinkGroups } from './LinkGroups.tsx'

/** Layout of the account pages, with one heading. */
export function AccountLayout({ children }: { children: ReactNode }) {
  const t = useCopy()
  const { config } = useProgram()
  const { pathname, search } = useLocation()
  const member = useMember()
  const isLoading = usePendingLocation() !== null
  // The session can end while a page is open, for example by a sign-out in another tab. A pending navigation redirects
  // to the sign-in page by itself, with its own return address.
  if (!member) return isLoading ? null : <Navigate to={pathAfterSession(pathname + search, config)} />
  // The server redirects documents.
  if (member.mustFixCredentials) return isLoading ? null : <Navigate to={fixCredentialsPath(pathname + search)} />
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('shell.account')}</h1>
      <NavTabs label={t('account.nav')} items={accountLinks(config).map(({ href, key }) => ({ href, text: t(key) }))} />
      <div className={styles.content}>{children}</div>
      <LinkGroups />
    </div>
  )
}

// After a sign-out the provider may still have its session: its sign-in page would sign in again without a question.
function pathAfterSession(path: string, { enrollmentType }: { enrollmentType: string }): string {
  return enrollmentType === 'sso' && sessionEnd() === null ? '/' : signInPath(path)
}
