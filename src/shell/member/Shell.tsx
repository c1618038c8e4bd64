import { type ReactNode, Suspense } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { SessionKeeper } from '../../session/member/embed/SessionKeeper.tsx'
import { BackLink } from './BackLink.tsx'
import { Footer } from './Footer.tsx'
import { Navbar } from './Navbar.tsx'
import styles from './Shell.module.css'

/** What surrounds every page. */
export function Shell({ children }: { children?: ReactNode }) {
  const t = useCopy()
  const { pathname } = useLocation()
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <Navbar />
      <BackLink />
      <main id="main" tabIndex={-1} className={styles.main} aria-busy={busy} key={sectionOf(pathname)}>
        <Suspense>{children ?? <Outlet />}</Suspense>
      </main>
      <Footer />
      <SessionKeeper />
      <ScrollRestoration getKey={(location) => location.pathname} />
    </>
  )
}

// The account's tabs share a frame that stays while its pages change.
function sectionOf(pathname: string): string {
  return pathname.startsWith('/account/') ? '/account' : pathname
}
