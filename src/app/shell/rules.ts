import { DAY } from '../../platform/time.ts'
import type { PopUpAudience, PublicConfig } from '../../programs/partners/contract.ts'

/** Pop-ups in order of precedence; at most one is shown. */
export type PopUp = 'update' | 'announcement' | 'sso' | 'general'

/** Time after which a dismissed announcement may be shown again. */
export const announcementCooldownMs = DAY

export interface PopUpFacts {
  config: Pick<
    PublicConfig,
    'appAnnouncementModal' | 'ssoModal' | 'ssoModalUntil' | 'enrollmentType' | 'generalModalType'
  >
  pathname: string
  memberType: string | null
  isNativeApp: boolean
  /** An impersonating operator must not get invitations. */
  isOperator: boolean
  needsUpdate: boolean
  /** The page shows an empty or error state, or the visitor is filling in a field. */
  isBusy: boolean
  /** Audience of the program's general pop-up; null without content for it. */
  general: { audience?: PopUpAudience | undefined; source?: string | undefined } | null
  /** The marketing source of the visit. */
  source: string | undefined
  /** Stored in this browser: instants, and the types of dismissed general pop-ups. */
  dismissals: { announcement: number | null; sso: number | null; general: readonly string[] }
  now: number
}

/** Pages with forms, and error pages. */
const busyPaths =
  /^\/(join|login|add_card|card_added|card_move|recover|fix_credentials|activate|account|surveys|staging-tools|error|not_found)(\/|$)/

/** Returns the pop-up to show: the update screen, then the announcement, then single sign-on, then the general one. */
export function popUpOf(facts: PopUpFacts): PopUp | null {
  if (facts.needsUpdate) return 'update'
  // Members with a closed account see only the re-enrollment page.
  if (facts.isOperator || facts.memberType === 'ClosedAccountMember') return null
  if (facts.isBusy || busyPaths.test(facts.pathname)) return null
  // The home page starts with the enrollment form for visitors.
  if (facts.pathname === '/' && facts.memberType === null && facts.config.enrollmentType === 'direct') return null
  if (wantsAnnouncement(facts)) return 'announcement'
  if (wantsSso(facts)) return 'sso'
  return wantsGeneral(facts) ? 'general' : null
}

function matchesAudience(audience: PopUpAudience | undefined, memberType: string | null): boolean {
  if (audience === 'visitors') return memberType === null
  return audience !== 'members' || memberType !== null
}

function wantsAnnouncement({ config, pathname, memberType, isNativeApp, dismissals, now }: PopUpFacts): boolean {
  const modal = config.appAnnouncementModal
  if (!modal || isNativeApp || !matchesAudience(modal.audience, memberType)) return false
  if (/^\/discover(\/|$)/.test(pathname)) return false
  return dismissals.announcement === null || now - dismissals.announcement >= announcementCooldownMs
}

function wantsSso({ config, memberType, dismissals, now }: PopUpFacts): boolean {
  if (!config.ssoModal || config.enrollmentType !== 'sso' || dismissals.sso !== null) return false
  if (config.ssoModalUntil && now >= Date.parse(config.ssoModalUntil) + DAY) return false
  return memberType === null || memberType === 'NonCardMember'
}

function wantsGeneral({ config, memberType, general, source, dismissals }: PopUpFacts): boolean {
  const type = config.generalModalType
  if (type === undefined || !general || !matchesAudience(general.audience, memberType)) return false
  if (general.source && general.source !== source) return false
  return !dismissals.general.includes(type)
}
