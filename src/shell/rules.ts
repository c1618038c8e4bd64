import { DAY } from '../kit/time.ts'
import type { PopUpAudience, PublicConfig } from '../partners/contract.ts'

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
  /** The page says that something is missing or failed, or the visitor is filling in a field. */
  isBusy: boolean
  /** Whom this program's general pop-up concerns; null without content for it. */
  general: { audience?: PopUpAudience | undefined; source?: string | undefined } | null
  /** The marketing source that brought the visitor here. */
  source: string | undefined
  /** What this browser remembers: instants, and the types of general popups that were dismissed. */
  remembered: { announcement: number | null; sso: number | null; general: readonly string[] }
  now: number
}

/** Pages with a form of the visitor's own, and pages that say that something went wrong. */
const busyPaths =
  /^\/(join|login|add_card|card_added|card_move|recover|fix_credentials|activate|account|surveys|staging-tools|error|not_found)(\/|$)/

/** Which pop-up shows: the update screen before the announcement, the announcement before sso, the general one last. */
export function popUpOf(facts: PopUpFacts): PopUp | null {
  if (facts.needsUpdate) return 'update'
  // Whoever has no card left sees the way back in and nothing over it.
  if (facts.isOperator || facts.memberType === 'ClosedAccountMember') return null
  if (facts.isBusy || busyPaths.test(facts.pathname)) return null
  // The home page begins with the form by which a visitor starts to join.
  if (facts.pathname === '/' && facts.memberType === null && facts.config.enrollmentType === 'direct') return null
  if (wantsAnnouncement(facts)) return 'announcement'
  if (wantsSso(facts)) return 'sso'
  return wantsGeneral(facts) ? 'general' : null
}

function concerns(audience: PopUpAudience | undefined, memberType: string | null): boolean {
  if (audience === 'visitors') return memberType === null
  return audience !== 'members' || memberType !== null
}

function wantsAnnouncement({ config, pathname, memberType, isNativeApp, remembered, now }: PopUpFacts): boolean {
  const modal = config.appAnnouncementModal
  if (!modal || isNativeApp || !concerns(modal.audience, memberType)) return false
  if (/^\/discover(\/|$)/.test(pathname)) return false
  return remembered.announcement === null || now - remembered.announcement >= announcementRests
}

function wantsSso({ config, memberType, remembered, now }: PopUpFacts): boolean {
  if (!config.ssoModal || config.enrollmentType !== 'sso' || remembered.sso !== null) return false
  if (config.ssoModalUntil && now >= Date.parse(config.ssoModalUntil) + DAY) return false
  return memberType === null || memberType === 'NonCardMember'
}

function wantsGeneral({ config, memberType, general, source, remembered }: PopUpFacts): boolean {
  const type = config.generalModalType
  if (type === undefined || !general || !concerns(general.audience, memberType)) return false
  if (general.source && general.source !== source) return false
  return !remembered.general.includes(type)
}
