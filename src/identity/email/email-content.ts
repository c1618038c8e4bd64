import { type Html, html } from '../../platform/html.ts'
import { toLegibleLine, toLegibleText } from '../../platform/legible-text.ts'
import type { Program } from '../../programs/partners/context.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'

/** Content of an email without layout. All values are plain text, not markup. */
export interface EmailContent {
  subject: string
  /** Preview text shown beside the subject in an inbox. */
  preview: string
  title: string
  paragraphs: readonly string[]
  /** Key facts: name and value pairs. */
  facts: readonly (readonly [name: string, value: string])[]
  action?: { text: string; href: string }
  /** Smaller text at the end. */
  smallPrint: readonly string[]
}

/**
 * Returns a content whose texts are legible lines: names in it may have been stored before they were checked, and a
 * line break in a subject would begin another header.
 */
export function toLegibleContent(content: EmailContent): EmailContent {
  const { subject, preview, title, paragraphs, facts, smallPrint } = content
  return {
    ...content,
    subject: toLegibleLine(subject),
    preview: toLegibleLine(preview),
    title: toLegibleLine(title),
    paragraphs: paragraphs.map(toLegibleText),
    facts: facts.map(([name, value]) => [toLegibleLine(name), toLegibleText(value)]),
    smallPrint: smallPrint.map(toLegibleText),
  }
}

/** Renders an email as plain text. */
export function renderEmailText(
  email: EmailContent,
  config: Pick<ProgramConfig, 'programName' | 'customerSupport'>,
): string {
  return [
    email.title,
    ...email.paragraphs,
    email.facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    email.action && `${email.action.text}: ${email.action.href}`,
    ...email.smallPrint,
    signature(config),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const signature = ({ programName, customerSupport }: Pick<ProgramConfig, 'programName' | 'customerSupport'>) =>
  `${programName}, ${customerSupport.phone.formatted}`

/**
 * Renders an email in the program's light colors. Mail clients ignore style sheets and custom properties, so each
 * element has inline styles; a table is laid out consistently by all of them.
 */
export function renderEmailHtml(email: EmailContent, { config, theme }: Pick<Program, 'config' | 'theme'>): Html {
  const { ground, surface, text, textMuted, line, primary, onPrimary, header, onHeader, link } = theme.colors.light
  const family = 'font-family:Helvetica,Arial,sans-serif'
  const bodyStyle = `${family};font-size:16px;line-height:1.5;color:${text}`
  const small = `${family};font-size:13px;line-height:1.5;color:${textMuted}`
  const radius = `${theme.shape.controlRadius}px`
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${email.subject}</title></head>
<body style="margin:0;background:${ground}">
<div style="display:none;max-height:0;overflow:hidden">${email.preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${surface};border:1px solid ${line}">
<tr><td style="padding:18px 28px;background:${header};color:${onHeader};${family};font-size:18px;font-weight:bold">${config.programName}</td></tr>
<tr><td style="padding:28px">
<h1 style="margin:0 0 16px;${family};font-size:24px;line-height:1.25;color:${text}">${email.title}</h1>
${email.paragraphs.map((paragraph) => html`<p style="margin:0 0 14px;${bodyStyle}">${paragraph}</p>`)}
${
  email.facts.length > 0 &&
  html`<table cellpadding="0" cellspacing="0" style="width:100%;margin:8px 0 20px">${email.facts.map(
    ([name, value]) =>
      html`<tr><th scope="row" align="left" valign="top" style="padding:8px 16px 8px 0;border-top:1px solid ${line};${small};font-weight:normal;white-space:nowrap">${name}</th><td style="padding:8px 0;border-top:1px solid ${line};${bodyStyle};font-weight:bold">${value}</td></tr>`,
  )}</table>`
}
${
  email.action &&
  html`<p style="margin:0 0 20px"><a href="${email.action.href}" style="display:inline-block;padding:13px 24px;background:${primary};color:${onPrimary};${family};font-size:16px;font-weight:bold;text-decoration:none;border-radius:${radius}">${email.action.text}</a></p>`
}
${email.smallPrint.map((paragraph) => html`<p style="margin:0 0 8px;${small}">${paragraph}</p>`)}
</td></tr>
<tr><td style="padding:16px 28px;border-top:1px solid ${line};${small}">${config.programName} · <a href="${config.customerSupport.phone.href}" style="color:${link}">${config.customerSupport.phone.formatted}</a></td></tr>
</table></td></tr></table>
</body></html>`
}
