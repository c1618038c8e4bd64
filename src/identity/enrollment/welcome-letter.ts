import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { Letter } from '../email/service.ts'

/** The welcome email for members who consented to offers: how to earn and how to unsubscribe. */
export function welcomeLetter(ctx: Ctx, { firstName, origin }: { firstName: string; origin: string }): Letter {
  const values = { name: firstName, link: `${origin}/account/privacy` }
  const t = (key: string) => fill(ctx.word(`join.mail.${key}`), values)
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
export function openedLetter(ctx: Ctx, { firstName, origin }: { firstName: string; origin: string }): Letter {
  const t = (key: string) => fill(ctx.word(`join.account_mail.${key}`), { name: firstName })
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
