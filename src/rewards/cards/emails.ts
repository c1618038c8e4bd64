import type { EmailContent } from '../../identity/email/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'

export interface MoveEmailInput {
  ctx: Ctx
  firstName: string
  lastFour: string
  otherProgram: string
  origin: string
}

function messagesFor({ ctx, firstName, lastFour, otherProgram }: MoveEmailInput) {
  const values = { name: firstName, lastFour, otherProgram }
  return (key: string) => interpolate(ctx.t(`cards.mail.${key}`), values)
}

/** Returns the email to the previous owner of a moved card, with a link to undo: another person may have moved it. */
export function movedEmail(input: MoveEmailInput & { last: boolean }): EmailContent {
  const t = messagesFor(input)
  return {
    subject: t('moved_subject'),
    preview: t('moved_preview'),
    title: t('moved_title'),
    paragraphs: [t('moved'), ...(input.last ? [t('moved_last')] : []), t('moved_undo')],
    facts: [],
    action: { text: t('moved_action'), href: `${input.origin}/account/manage_cards` },
    smallPrint: [t('moved_not_you')],
  }
}

/** Returns the email that the card is back. */
export function movedBackEmail(input: MoveEmailInput): EmailContent {
  const t = messagesFor(input)
  return {
    subject: t('back_subject'),
    preview: t('back_preview'),
    title: t('back_title'),
    paragraphs: [t('back')],
    facts: [],
    action: { text: t('moved_action'), href: `${input.origin}/account/manage_cards` },
    smallPrint: [],
  }
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/**
 * Returns the email that requests a card owner's permission to move the card. The fragment of the link is never sent to
 * a server, and the page does nothing before a button is pressed, so a mail scanner that opens links decides nothing.
 */
export function moveRequestEmail(input: MoveEmailInput, { code, until }: { code: string; until: Date }): EmailContent {
  const t = messagesFor(input)
  return {
    subject: t('request_subject'),
    preview: t('request_preview'),
    title: t('request_title'),
    paragraphs: [t('request'), interpolate(t('request_nothing'), { until: day.format(until) }), t('request_allow')],
    facts: [],
    action: { text: t('request_action'), href: `${input.origin}/card_move#code=${code}` },
    smallPrint: [t('request_not_you')],
  }
}

/** Returns the email to the requesting member that the card earns here now. */
export const moveCompletedEmail = (input: MoveEmailInput): EmailContent => outcomeEmail(input, 'arrived')

/** Returns the email to the requesting member that the card could not be linked, although its owner agreed. */
export const moveFailedEmail = (input: MoveEmailInput): EmailContent => outcomeEmail(input, 'failed')

function outcomeEmail(input: MoveEmailInput, outcome: 'arrived' | 'failed'): EmailContent {
  const t = messagesFor(input)
  return {
    subject: t(`${outcome}_subject`),
    preview: t(`${outcome}_preview`),
    title: t(`${outcome}_title`),
    paragraphs: [t(outcome)],
    facts: [],
    action: { text: t('moved_action'), href: `${input.origin}/account/manage_cards` },
    smallPrint: [],
  }
}
