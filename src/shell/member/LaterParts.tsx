import { DeletedCardNotice } from '../../cards/member/embed/DeletedCardNotice.tsx'
import { InstallBanner } from '../../pwa/member/embed/InstallBanner.tsx'
import { SurveyBars } from '../../surveys/member/embed/SurveyBars.tsx'
import { PopUps } from './PopUps.tsx'

/** What may come up beside a page. It depends on this browser's memory, so no server knows of it and no page waits. */
export function LaterParts() {
  return (
    <>
      <InstallBanner />
      <SurveyBars />
      <DeletedCardNotice />
      <PopUps />
    </>
  )
}
