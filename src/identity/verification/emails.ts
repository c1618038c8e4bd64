import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import type { EmailContent } from '../email/service.ts'

/**
 * Email with the code of an address, as a link and for typing. Browsers do not send the part after `#` to a server. It
 * counts only in a session of the member, so a stranger whose address was typed verifies nothing by opening it.
 */
export function verificationEmail(
  ctx: Ctx,
  { firstName, code, origin }: { firstName: string; code: string; origin: string },
): EmailContent {
  const t = (key: string) => interpolate(ctx.t(`verification.mail.${key}`), { name: firstName })
  return {
    subject: t('subject'),
    preview: t('preview'),
    title: t('title'),
    paragraphs: [t('lead')],
    facts: [[t('code'), code]],
    action: { text: t('action'), href: `${origin}/account/verify_email#code=${code}` },
    smallPrint: [t('not_you')],
  }
}
