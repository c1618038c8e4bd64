import type { Member } from '../../../members/contract.ts'
import type { EnrollmentType } from '../../../partners/contract.ts'

export const accountLinks = [
  { href: '/account/overview', key: 'account.overview' },
  { href: '/account/recent_activity', key: 'account.recent_activity' },
  { href: '/account/manage_cards', key: 'account.manage_cards' },
  { href: '/account/user_profile', key: 'account.user_profile' },
] as const

/** Where "Join" leads. `document` means the server answers, not a page of the app. */
export function joinTarget(enrollment: EnrollmentType, member: Member | null): { href: string; document: boolean } {
  if (enrollment === 'sso') return member ? { href: '/join', document: false } : { href: '/Login', document: true }
  return { href: member ? '/add_card' : '/join', document: false }
}

export interface ContentLink {
  text: string
  url: string
}

/** The links of a content field; what is not a link is left out. */
export function contentLinks(field: unknown): ContentLink[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item) => {
    const text = item?.text ?? item?.text_desktop
    return typeof text === 'string' && typeof item.url === 'string' ? [{ text, url: item.url }] : []
  })
}
