import { lazy, type ReactNode, Suspense } from 'react'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { SessionKeeper } from '../../../identity/session/member/embed/SessionKeeper.tsx'
import { SignedOutNotice } from '../../../identity/session/member/embed/SignedOutNotice.tsx'
import { useLocation, usePendingLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { getItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { lazyPart } from '../../../programs/content/member/embed/lazy-part.tsx'
import { Maintenance } from '../../../programs/content/member/embed/Maintenance.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { useNativeBridge } from '../../../programs/pwa/member/embed/native-bridge.ts'
import { useUpdateNeeded } from '../../../programs/pwa/member/embed/use-update-needed.ts'
import { Tracking } from '../../../programs/tracking/member/embed/Tracking.tsx'
import { DeletedCardNotice } from '../../../rewards/cards/member/embed/DeletedCardNotice.tsx'
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { AnnouncementBanner } from './AnnouncementBanner.tsx'
import { BackLink } from './BackLink.tsx'
import { Footer } from './Footer.tsx'
import { Navbar } from './Navbar.tsx'
import { PreviewBar } from './PreviewBar.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'
import styles from './Shell.module.css'
import { useHidingBars } from './use-hiding-bars.ts'
import { useRetainedFocus } from './use-retained-focus.ts'

const ReEnroll = lazyPart(async () => (await import('../../../identity/enrollment/member/embed/ReEnroll.tsx')).ReEnroll)
// Only operators see the one, and only native apps that are too old the other.
const ImpersonationBanner = lazyPart(
  async () =>
    (await import('../../../identity/impersonation/member/embed/ImpersonationBanner.tsx')).ImpersonationBanner,
)
const UpdateScreen = lazyPart(
  async () => (await import('../../../programs/pwa/member/embed/UpdateScreen.tsx')).UpdateScreen,
)
const DeferredOverlays = lazy(() =>
  import('./DeferredOverlays.tsx').then((module) => ({ default: module.DeferredOverlays })),
)

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useCopy()
  const { pathname } = useLocation()
  const isLoading = usePendingLocation() !== null
  const { extraPaths } = useProgram().config
  const isTooOld = useUpdateNeeded()
  // Legal pages stay readable with a closed account.
  const member = useMember()
  const closed = member?.memberType === 'ClosedAccountMember' && !extraPaths.includes(pathname)
  useHidingBars()
  useRetainedFocus()
  useNativeBridge(member?.publicId)
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <Impersonation />
      <Navbar />
      {!closed && (
        <>
          <AnnouncementBanner />
          <BackLink />
        </>
      )}
      <main id="main" tabIndex={-1} className={styles.main} aria-busy={isLoading} key={sectionOf(pathname)}>
        <Suspense>{closed ? <ClosedPage /> : <CurrentPage pathname={pathname}>{children}</CurrentPage>}</Suspense>
      </main>
      {!closed && <Footer />}
      <PreviewBar />
      {!closed && <DeletedCardNotice />}
      {!closed && <Deferred />}
      {isTooOld && <UpdateScreen fallback={null} />}
      <SessionKeeper />
      <SignedOutNotice />
      <Tracking />
      <RouteAnnouncer section={sectionOf(pathname)} pathname={pathname} />
    </>
  )
}

// A leftover of an impersonation is looked for in the browser.
function Impersonation() {
  const { operator } = useProgram()
  const hasLeftover = useHydrated() && getItem(storageKeys.impersonation) !== null
  return operator || hasLeftover ? <ImpersonationBanner fallback={null} /> : null
}

// Members with a closed account see the re-enrollment page on every path; it requires a script, like the card frame.
function ClosedPage() {
  const t = useCopy()
  return useHydrated() ? <ReEnroll fallback={null} /> : <Spinner label={t('activation.loading')} />
}

// A separate component, so that its updates do not re-render the page.
function Deferred() {
  if (!useHydrated()) return null
  return (
    <ErrorBoundary>
      <Suspense>
        <DeferredOverlays />
      </Suspense>
    </ErrorBoundary>
  )
}

// The staging tools can end the maintenance. Sign-in and enrollment, which have flags of their own too, have their messages.
function CurrentPage({ pathname, children }: { pathname: string; children: ReactNode }) {
  const { flags } = useProgram()
  if (!flags.authFlags.siteMaintenance || pathname.startsWith('/staging-tools')) return children
  return <Maintenance kind={pathname === '/login' ? 'login' : pathname === '/join' ? 'join' : 'other'} />
}

// The account's tabs share a frame that stays mounted while its pages change. A dialog with an address of its own opens over
// its page, which has the control that opened it.
function sectionOf(pathname: string): string {
  if (pathname.startsWith('/account/')) return '/account'
  return pathname.replace(/^(\/merchants\/[^/]+)\/order-online$/, '$1')
}
