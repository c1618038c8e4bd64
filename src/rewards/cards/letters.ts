import type { Letter } from '../../identity/email/service.ts'
import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'

export interface MoveLetterParts {
  ctx: Ctx
  firstName: string
  lastFour: string
  otherProgram: string
  origin: string
}

function wordsOf({ ctx, firstName, lastFour, otherProgram }: MoveLetterParts) {
  const values = { name: firstName, lastFour, otherProgram }
  return (key: string) => fill(ctx.word(`cards.mail.${key}`), values)
}

/** Returns the email to the previous owner of a moved card, with a link to undo: another person may have moved it. */
export function movedLetter(parts: MoveLetterParts & { last: boolean }): Letter {
  const t = wordsOf(parts)
  return {
    subject: t('moved_subject'),
    preview: t('moved_preview'),
    title: t('moved_title'),
    paragraphs: [t('moved'), ...(parts.last ? [t('moved_last')] : []), t('moved_undo')],
    facts: [],
    action: { text: t('moved_action'), href: `${parts.origin}/account/manage_cards` },
    smallPrint: [t('moved_not_you')],
  }
}

/** Returns the email that the card is back. */
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

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/**
 * Returns the email that requests a card owner's permission to move the card. The fragment of the link is never sent to
 * a server, and the page does nothing before a button is pressed, so a mail scanner that opens links decides nothing.
 */
export function requestLetter(parts: MoveLetterParts, { code, until }: { code: string; until: Date }): Letter {
  const t = wordsOf(parts)
  return {
    subject: t('request_subject'),
    preview: t('request_preview'),
    title: t('request_title'),
    paragraphs: [t('request'), fill(t('request_nothing'), { until: day.format(until) }), t('request_allow')],
    facts: [],
    action: { text: t('request_action'), href: `${parts.origin}/card_move#code=${code}` },
    smallPrint: [t('request_not_you')],
  }
}

/** Returns the email to the requesting member that the card earns here now. */
export const arrivedLetter = (parts: MoveLetterParts): Letter => outcomeLetter(parts, 'arrived')

/** Returns the email to the requesting member that the card could not be linked, although its owner agreed. */
export const moveFailedLetter = (parts: MoveLetterParts): Letter => outcomeLetter(parts, 'failed')

function outcomeLetter(parts: MoveLetterParts, outcome: 'arrived' | 'failed'): Letter {
  const t = wordsOf(parts)
  return {
    subject: t(`${outcome}_subject`),
    preview: t(`${outcome}_preview`),
    title: t(`${outcome}_title`),
    paragraphs: [t(outcome)],
    facts: [],
    action: { text: t('moved_action'), href: `${parts.origin}/account/manage_cards` },
    smallPrint: [],
  }
}
