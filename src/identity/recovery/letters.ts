import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { Letter } from '../email/service.ts'
import type { MemberRow } from '../members/service.ts'

export interface LetterParts {
  ctx: Ctx
  member: Pick<MemberRow, 'first_name' | 'email' | 'public_id'>
  /** The origin of the program's pages: from the configuration, never from a request. */
  origin: string
}

const words =
  ({ ctx, member }: LetterParts) =>
  (key: string) =>
    fill(ctx.word(`recovery.mail.${key}`), { name: member.first_name, email: member.email })

/** Email with the code as a link and as digits for typing. Browsers do not send the part after `#` to a server. */
export function codeLetter(parts: LetterParts, { code, digits }: { code: string; digits: string | null }): Letter {
  const t = words(parts)
  return {
    subject: t('code_subject'),
    preview: t('code_preview'),
    title: t('code_title'),
    paragraphs: [t('code'), ...(digits === null ? [] : [t('code_where')])],
    facts: digits === null ? [] : [[t('code_name'), digits]],
    action: { text: t('code_action'), href: `${parts.origin}/recover/confirm#code=${code}` },
    smallPrint: [t('code_not_you')],
  }
}

/** Email for a member without a password: how to get one. */
export function noPasswordLetter(parts: LetterParts): Letter {
  const t = words(parts)
  return {
    subject: t('none_subject'),
    preview: t('none_preview'),
    title: t('none_title'),
    paragraphs: [t('none')],
    facts: [],
    action: { text: t('none_action'), href: `${parts.origin}/activate?publicId=${parts.member.public_id}` },
    smallPrint: [t('code_not_you')],
  }
}

/**
 * Email that confirms a password change, and says what to do if another person made it. A signed-in member keeps the
 * session in which the password was changed; a reset by a code ends every session.
 */
export function changedLetter(parts: LetterParts, { keepsSession }: { keepsSession: boolean }): Letter {
  const t = words(parts)
  const kind = keepsSession ? 'changed_here' : 'changed'
  return {
    subject: t('changed_subject'),
    preview: t(`${kind}_preview`),
    title: t('changed_title'),
    paragraphs: [t(kind)],
    facts: [],
    action: { text: t(`${kind}_action`), href: `${parts.origin}${keepsSession ? '/account/security' : '/login'}` },
    smallPrint: [t('changed_not_you')],
  }
}

/** Notifies the new address that it is now used to sign in. */
export function addressLetter(parts: LetterParts): Letter {
  const t = words(parts)
  return {
    subject: t('address_subject'),
    preview: t('address_preview'),
    title: t('address_title'),
    paragraphs: [t('address')],
    facts: [[t('address_name'), parts.member.email]],
    action: { text: t('address_action'), href: `${parts.origin}/account/overview` },
    smallPrint: [t('changed_not_you')],
  }
}
