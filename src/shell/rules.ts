import { DAY } from '../kit/time.ts'
import type { PublicConfig } from '../partners/contract.ts'

/** What may lie over a page; the first that wants to does, and no two at once. */
export type PopUp = 'update' | 'announcement' | 'sso' | 'general'

/** A dismissed announcement stays away this long. */
export const announcementRests = DAY

export interface PopUpFacts {
  config: Pick<
    PublicConfig,
    'appAnnouncementModal' | 'ssoModal' | 'ssoModalUntil' | 'enrollmentType' | 'generalModalType'
  >
  pathname: string
  memberType: string | null
  isNativeApp: boolean
  /** Support looks at this page, and is not to be invited. */
  isOperator: boolean
  needsUpdate: boolean
  /** There is content for this program's general popup. */
  hasGeneralCopy: boolean
  /** What this browser remembers: instants, and the types of general popups that were dismissed. */
  remembered: { announcement: number | null; sso: number | null; general: readonly string[] }
  now: number
}

/** Pages where somebody is in the middle of something. */
const busyPaths = /^\/(join|login|add_card|card_added)(\/|$)/

/** Which pop-up shows: the update screen before the announcement, the announcement before sso, the general one last. */
export function popUpOf(facts: PopUpFacts): PopUp | null {
  if (facts.needsUpdate) return 'update'
  // Whoever has no card left sees the way back in and nothing over it.
  if (facts.isOperator || facts.memberType === 'ClosedAccountMember') return null
  if (busyPaths.test(facts.pathname)) return null
  if (wantsAnnouncement(facts)) return 'announcement'
  if (wantsSso(facts)) return 'sso'
  return wantsGeneral(facts) ? 'general' : null
}

function wantsAnnouncement({ config, pathname, isNativeApp, remembered, now }: PopUpFacts): boolean {
  if (!config.appAnnouncementModal || isNativeApp) return false
  if (/^\/discover(\/|$)/.test(pathname)) return false
  return remembered.announcement === null || now - remembered.announcement >= announcementRests
}

function wantsSso({ config, memberType, remembered, now }: PopUpFacts): boolean {
  if (!config.ssoModal || config.enrollmentType !== 'sso' || remembered.sso !== null) return false
  if (config.ssoModalUntil && now >= Date.parse(config.ssoModalUntil) + DAY) return false
  return memberType === null || memberType === 'NonCardMember'
}

function wantsGeneral({ config, hasGeneralCopy, remembered }: PopUpFacts): boolean {
  const type = config.generalModalType
  return type !== undefined && hasGeneralCopy && !remembered.general.includes(type)
}
