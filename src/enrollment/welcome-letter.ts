import type { Ctx } from '../kit/server/context.ts'
import type { Letter } from '../mail/service.ts'

/** The first mail of whoever wants offers: how to earn, and how to have no more mails. */
export function welcomeLetter(ctx: Ctx, { firstName, origin }: { firstName: string; origin: string }): Letter {
  const t = (key: string) =>
    ctx.word(`join.mail.${key}`).replaceAll('{name}', firstName).replaceAll('{link}', `${origin}/account/privacy`)
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
