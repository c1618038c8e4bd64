import { InstallBanner } from '../../../programs/pwa/member/embed/InstallBanner.tsx'
import { SurveyBars } from '../../../programs/surveys/member/embed/SurveyBars.tsx'
import { PopUps } from './PopUps.tsx'

/**
 * Banners and pop-ups beside a page. They depend on local storage, so they are rendered only in the browser, after the
 * page.
 */
export function DeferredOverlays() {
  return (
    <>
      <InstallBanner />
      <SurveyBars />
      <PopUps />
    </>
  )
}
