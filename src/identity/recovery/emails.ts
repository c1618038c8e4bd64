import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import type { EmailContent } from '../email/service.ts'
import type { MemberRow } from '../members/service.ts'

export interface EmailInput {
  ctx: Ctx
  member: Pick<MemberRow, 'first_name' | 'email' | 'public_id'>
  /** The origin of the program's pages: from the configuration, never from a request. */
  origin: string
}

const translator =
  ({ ctx, member }: EmailInput) =>
  (key: string) =>
    interpolate(ctx.t(`recovery.mail.${key}`), { name: member.first_name, email: member.email })

/** Email with the code as a link and as digits for typing. Browsers do not send the part after `#` to a server. */
export function codeEmail(input: EmailInput, { code, digits }: { code: string; digits: string | null }): EmailContent {
  const t = translator(input)
  return {
    subject: t('code_subject'),
    preview: t('code_preview'),
    title: t('code_title'),
    paragraphs: [t('code'), ...(digits === null ? [] : [t('code_where')])],
    facts: digits === null ? [] : [[t('code_name'), digits]],
    action: { text: t('code_action'), href: `${input.origin}/recover/confirm#code=${code}` },
    smallPrint: [t('code_not_you')],
  }
}

/** Email for a member without a password: how to get one. */
export function noPasswordEmail(input: EmailInput): EmailContent {
  const t = translator(input)
  return {
    subject: t('none_subject'),
    preview: t('none_preview'),
    title: t('none_title'),
    paragraphs: [t('none')],
    facts: [],
    action: { text: t('none_action'), href: `${input.origin}/activate?publicId=${input.member.public_id}` },
    smallPrint: [t('code_not_you')],
  }
}

export interface PasswordChange {
  preservesSession: boolean
  /** The names of the passkeys that a reset has removed. */
  removedPasskeys?: readonly string[]
  /** The names of the passkeys that still sign in. */
  remainingPasskeys?: readonly string[]
  /** The number of cards that stay linked, for the member to check. */
  linkedCards?: number
}

/**
 * Email that confirms a password change, and says what to do if another person made it. A signed-in member stays
 * signed in where the password was changed; a reset by a code ends every session.
 */
export function passwordChangedEmail(
  input: EmailInput,
  { preservesSession, removedPasskeys = [], remainingPasskeys = [], linkedCards = 0 }: PasswordChange,
): EmailContent {
  const t = translator(input)
  const kind = preservesSession ? 'changed_here' : 'changed'
  return {
    subject: t('changed_subject'),
    preview: t(`${kind}_preview`),
    title: t('changed_title'),
    paragraphs: [
      t(kind),
      ...(removedPasskeys.length > 0 ? [t('changed_passkeys')] : []),
      ...(remainingPasskeys.length > 0 ? [t('changed_here_passkeys')] : []),
      ...(linkedCards > 0 ? [t('changed_cards')] : []),
    ],
    facts: [
      ...removedPasskeys.map((name) => [t('removed_passkey'), name] as const),
      ...remainingPasskeys.map((name) => [t('remaining_passkey'), name] as const),
      ...(linkedCards > 0 ? [[t('linked_cards'), String(linkedCards)] as const] : []),
    ],
    action: { text: t(`${kind}_action`), href: `${input.origin}${preservesSession ? '/account/security' : '/login'}` },
    smallPrint: [t('changed_not_you')],
  }
}

/** Notifies the new address that it is now used to sign in. */
export function addressChangedEmail(input: EmailInput): EmailContent {
  const t = translator(input)
  return {
    subject: t('address_subject'),
    preview: t('address_preview'),
    title: t('address_title'),
    paragraphs: [t('address')],
    facts: [[t('address_name'), input.member.email]],
    action: { text: t('address_action'), href: `${input.origin}/account/overview` },
    smallPrint: [t('changed_not_you')],
  }
}

/** Notifies the former address that the account now uses another one, without naming it. */
export function formerAddressEmail(input: EmailInput): EmailContent {
  const t = translator(input)
  return {
    subject: t('former_subject'),
    preview: t('former_preview'),
    title: t('former_title'),
    paragraphs: [t('former')],
    facts: [],
    smallPrint: [t('changed_not_you')],
  }
}
