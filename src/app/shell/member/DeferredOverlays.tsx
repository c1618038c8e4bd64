import { InstallBanner } from '../../../programs/pwa/member/embed/InstallBanner.tsx'
import { SurveyBars } from '../../../programs/surveys/member/embed/SurveyBars.tsx'
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import { PopUps } from './PopUps.tsx'

/**
 * Banners and pop-ups beside a page. They depend on local storage, so they are rendered only in the browser, after the
 * page.
 */
export function DeferredOverlays() {
  return (
    <>
      <ErrorBoundary>
        <InstallBanner />
      </ErrorBoundary>
      <ErrorBoundary>
        <SurveyBars />
      </ErrorBoundary>
      <ErrorBoundary>
        <PopUps />
      </ErrorBoundary>
    </>
  )
}
