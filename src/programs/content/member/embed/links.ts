import type { Member } from '../../../../identity/members/contract.ts'
import type { EnrollmentType, PublicConfig } from '../../../partners/contract.ts'
import type { LinkFields } from '../../collections.ts'

/** Returns the account pages of a program. */
export function accountLinks({ openTableReservationsEnabled }: Pick<PublicConfig, 'openTableReservationsEnabled'>) {
  return [
    { href: '/account/overview', key: 'account.overview' },
    { href: '/account/recent_activity', key: 'account.recent_activity' },
    ...(openTableReservationsEnabled ? [{ href: '/account/reservations', key: 'reservations.all' }] : []),
    { href: '/account/manage_cards', key: 'account.manage_cards' },
    { href: '/account/user_profile', key: 'account.user_profile' },
    { href: '/account/security', key: 'security.title' },
    { href: '/account/privacy', key: 'privacy.title' },
  ]
}

/**
 * Returns the personal link: the account, the next enrollment step, or sign-in; null when enrollment is not offered.
 */
export function ownLink(enrollment: EnrollmentType, member: Member | null): { href: string; key: string } | null {
  if (enrollment === 'none' || member?.memberType === 'ClosedAccountMember') return null
  if (member?.memberType === 'EnrolledCardMember') return { href: '/account/overview', key: 'shell.account' }
  if (member) return { href: joinTarget(enrollment, member).href, key: 'shell.finish_joining' }
  return enrollment === 'direct' ? { href: '/login', key: 'shell.sign_in' } : { href: '/Login', key: 'shell.join' }
}

/** Returns the target of "Join". `document` means that the server handles it, not a page of the app. */
export function joinTarget(enrollment: EnrollmentType, member: Member | null): { href: string; document: boolean } {
  if (enrollment === 'sso') return member ? { href: '/join', document: false } : { href: '/Login', document: true }
  return { href: member ? '/add_card' : '/join', document: false }
}

export interface ContentLink {
  text: string
  /** The shorter text for phones; defaults to `text`. */
  mobile: string
  url: string
}

/** Returns the links of a content field, in both lengths. */
export function contentLinks(links: readonly LinkFields[] = []): ContentLink[] {
  return links.map((link) =>
    'text' in link
      ? { text: link.text, mobile: link.text, url: link.url }
      : { text: link.text_desktop, mobile: link.text_mobile || link.text_desktop, url: link.url },
  )
}
