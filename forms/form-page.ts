import { type Html, html, Html as Raw } from '../src/platform/html.ts'
import type { FormDefinition, Question } from '../src/programs/partners/form-definition.ts'
import { messages } from './messages.ts'
import type { ResponseValues } from './response-values.ts'

export interface FormView {
  form: FormDefinition
  /** Form action URL. */
  action: string
  responseId: string
  /** Tracking parameters, submitted as hidden fields. */
  tracking: Readonly<Record<string, string>>
  fieldValues: ResponseValues
  errors: Record<string, string>
  failed: boolean
  /** The page around the frame, which learns that the form is there; none around a page of its own. */
  parentOrigin?: string | undefined
}

export interface PageStyle {
  /** CSS with colors and font. */
  styles: string
  nonce: string
  /** True inside another page, which has its own `main` element. */
  isFramed: boolean
}

/** Renders the form as a page that works without scripts. */
export function formPage(view: FormView, style: PageStyle): string {
  const { form, errors, failed } = view
  const alert = failed ? messages.failed : Object.keys(errors).length > 0 ? messages.check : null
  const hidden = { response_id: view.responseId, ...view.tracking }
  return page(
    form.title,
    style,
    html`<h1>${form.title}</h1>
${form.intro !== '' && html`<p class="intro">${form.intro}</p>`}
${alert && html`<p class="notice" role="alert">${alert}</p>`}
<form method="post" action="${view.action}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${form.questions.map((question) => field(question, view.fieldValues[question.id], errors[question.id]))}
<button>${form.submit}</button>
</form>
${view.parentOrigin !== undefined && messageTo(view.parentOrigin, 'survey-ready', form, style)}`,
  )
}

/** Returns a script that posts a message about a form to the page around its frame. */
function messageTo(parentOrigin: string, type: string, { id }: FormDefinition, { nonce }: PageStyle): Html {
  const message = JSON.stringify({ type, id }).replace(/</g, '\\u003c')
  return html`<script nonce="${nonce}">${new Raw(`parent.postMessage(${message}, ${JSON.stringify(parentOrigin)})`)}</script>`
}

/** Confirmation page after submission in a frame. Posts a message to the parent page, addressed by its origin. */
export function thanksPage(form: FormDefinition, parentOrigin: string, style: PageStyle): string {
  return page(
    form.title,
    style,
    html`<p class="thanks" role="status">${form.thanks}</p>
${messageTo(parentOrigin, 'survey-submitted', form, style)}`,
  )
}

/** Confirmation page for a standalone form without a page to return to. */
export function endPage(form: FormDefinition, style: PageStyle): string {
  return page(form.title, style, html`<h1>${form.title}</h1><p class="thanks" role="status">${form.thanks}</p>`)
}

/** Renders a page with a message only. */
export function noticePage(text: string, style: PageStyle): string {
  return page(text, style, html`<p class="notice" role="alert">${text}</p>`)
}

function field(question: Question, answer: string | string[] | undefined, error: string | undefined): Html {
  const name = `q.${question.id}`
  const note = error && html`<p class="error" id="${name}-error">${error}</p>`
  const described = error ? html` aria-invalid="true" aria-describedby="${name}-error"` : null
  const label = html`${question.label}${!question.required && html` <small>(${messages.optional})</small>`}`
  const value = typeof answer === 'string' ? answer : ''
  switch (question.type) {
    case 'text':
      return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}"${described}>${note}</div>`
    case 'long':
      return html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="4"${described}>
${value}</textarea>${note}</div>`
    case 'rating': {
      const steps = ['1', '2', '3', '4', '5'].map((step) =>
        choice('radio', name, step, value === step, step, { '1': question.low, '5': question.high }[step]),
      )
      return html`<fieldset${described}><legend>${label}</legend><div class="scale"><span aria-hidden="true">${question.low}</span>${steps}<span aria-hidden="true">${question.high}</span></div>${note}</fieldset>`
    }
    default: {
      const kind = question.type === 'single' ? 'radio' : 'checkbox'
      const chosen = Array.isArray(answer) ? answer : [value]
      const list = question.choices.map((each) => choice(kind, name, each, chosen.includes(each), each))
      return html`<fieldset${described}><legend>${label}</legend>${list}${note}</fieldset>`
    }
  }
}

/** `meaning` is the meaning of an end of a scale, for screen readers. */
function choice(kind: string, name: string, value: string, checked: boolean, label: string, meaning?: string): Html {
  const read = meaning && html` aria-label="${label}, ${meaning}"`
  return html`<label class="choice"><input type="${kind}" name="${name}" value="${value}"${read}${checked && new Raw(' checked')}> ${label}</label>`
}

function page(title: string, { styles: own, nonce, isFramed }: PageStyle, body: Html): string {
  const part = new Raw(isFramed ? 'div' : 'main')
  return html`<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style nonce="${nonce}">${new Raw(own)}${new Raw(styles)}</style></head><body><${part} class="page">${body}</${part}></body></html>`
    .text
}

const styles = `
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 var(--font)}
.page{max-width:560px;margin:0 auto;padding:16px}
h1{margin:0 0 8px;font-size:1.15rem;line-height:1.3}
.intro{margin:0 0 16px;color:var(--muted)}
form{display:grid;gap:20px}
fieldset{margin:0;padding:0;border:0}
legend,.field>label{margin-bottom:8px;font-weight:600;padding:0}
.field>label{display:block}
small{color:var(--muted);font-weight:400}
input:not([type]),textarea{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:var(--text);font:inherit}
.choice{display:flex;align-items:center;gap:10px;min-height:44px;cursor:pointer}
.choice input{width:20px;height:20px;accent-color:var(--primary);flex:none}
.scale{display:grid;grid-template-columns:repeat(5,1fr);gap:0 4px}
.scale span{grid-row:2;grid-column:1/4;color:var(--muted);font-size:.875rem}
.scale span:last-child{grid-column:4/6;text-align:end}
.scale .choice{grid-row:1;gap:6px}
button{min-height:48px;padding:0 24px;border:0;border-radius:8px;background:var(--primary);color:var(--onPrimary);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.error,.notice{margin:8px 0 0;color:var(--danger);font-weight:600}
.notice{margin:0 0 16px}
.thanks{margin:40px 0;font-size:1.15rem;font-weight:600;text-align:center}
`
