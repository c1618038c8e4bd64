import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import type { EmailContent } from '../email/service.ts'

/** The welcome email for members who consented to offers: how to earn and how to unsubscribe. */
export function welcomeEmail(ctx: Ctx, { firstName, origin }: { firstName: string; origin: string }): EmailContent {
  const values = { name: firstName, link: `${origin}/account/privacy` }
  const t = (key: string) => interpolate(ctx.t(`join.mail.${key}`), values)
  return {
    subject: t('subject'),
    preview: t('preview'),
    title: t('title'),
    paragraphs: [t('lead'), t('card'), t('search'), t('pay')],
    facts: [],
    action: { text: t('action'), href: `${origin}/search` },
    smallPrint: [t('why')],
  }
}

/**
 * Notifies an address without consent that an account was created with it, because another person may have entered it.
 */
export function accountOpenedEmail(
  ctx: Ctx,
  { firstName, origin }: { firstName: string; origin: string },
): EmailContent {
  const t = (key: string) => interpolate(ctx.t(`join.account_mail.${key}`), { name: firstName })
  return {
    subject: t('subject'),
    preview: t('preview'),
    title: t('title'),
    paragraphs: [t('lead')],
    facts: [],
    action: { text: t('action'), href: `${origin}/account/overview` },
    smallPrint: [t('not_you')],
  }
}
