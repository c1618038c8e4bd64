import type { Ctx } from '../kit/server/context.ts'
import type { Letter } from '../mail/service.ts'

export interface MoveLetterParts {
  ctx: Ctx
  firstName: string
  lastFour: string
  otherProgram: string
  /** It was the last card: the account is closed. */
  closed: boolean
  origin: string
}

function wordsOf({ ctx, firstName, lastFour, otherProgram }: MoveLetterParts) {
  return (key: string) =>
    ctx
      .word(`cards.mail.${key}`)
      .replaceAll('{name}', firstName)
      .replaceAll('{lastFour}', lastFour)
      .replaceAll('{otherProgram}', otherProgram)
}

/** Tells who had a card that it earns elsewhere now, and how to have it back: perhaps it was not they who moved it. */
export function movedLetter(parts: MoveLetterParts): Letter {
  const t = wordsOf(parts)
  return {
    subject: t('moved_subject'),
    preview: t('moved_preview'),
    title: t('moved_title'),
    paragraphs: [t('moved'), ...(parts.closed ? [t('moved_closed')] : []), t('moved_undo')],
    facts: [],
    action: { text: t('moved_action'), href: `${parts.origin}/account/manage_cards` },
    smallPrint: [t('moved_not_you')],
  }
}

/** Tells that it is back. */
export function movedBackLetter(parts: MoveLetterParts): Letter {
  const t = wordsOf(parts)
  return {
    subject: t('back_subject'),
    preview: t('back_preview'),
    title: t('back_title'),
    paragraphs: [t('back')],
    facts: [],
    action: { text: t('moved_action'), href: `${parts.origin}/account/manage_cards` },
    smallPrint: [],
  }
}
