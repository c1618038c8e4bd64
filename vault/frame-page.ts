import type { VaultKeys } from './keys.ts'
import { messages } from './messages.ts'
import type { Intent } from './store.ts'

/** Configuration of the frame's script: the intent for which it seals and the page that it posts messages to. */
export interface FrameConfig {
  parentOrigin: string
  intent: string
  tenant: string
  holder: string
  /** Seconds since 1970. */
  exp: number
  brands: string[]
  key: VaultKeys['publicJwk']
}

/** Marks required fields, as the forms of programs do. Their attribute is what screen readers read. */
const asterisk = '<span aria-hidden="true">*</span>'

/** Renders the frame of a live intent. */
export function framePage(intent: Intent, keys: VaultKeys, style: string, nonce: string): string {
  const config: FrameConfig = {
    parentOrigin: intent.parentOrigin,
    intent: intent.id,
    tenant: intent.tenant,
    holder: intent.holder,
    exp: Math.floor(intent.expiresAt.getTime() / 1000),
    brands: intent.brands,
    key: keys.publicJwk,
  }
  const json = JSON.stringify(config).replace(/</g, '\\u003c')
  return page(
    style,
    nonce,
    `<form id="card" novalidate autocomplete="on">
<div class="field"><label for="number">${messages.number}${asterisk}</label>
<input id="number" name="number" inputmode="numeric" autocomplete="cc-number" required aria-describedby="number-error" spellcheck="false">
<p id="number-error" class="error" aria-live="polite"></p></div>
<div class="field"><label for="expiry">${messages.expiry}${asterisk}</label>
<input id="expiry" name="expiry" inputmode="numeric" autocomplete="cc-exp" required aria-describedby="expiry-error" spellcheck="false">
<p id="expiry-error" class="error" aria-live="polite"></p></div>
<p id="state" class="state" role="status"></p>
</form>
<script type="application/json" id="config">${json}</script>
<script type="module" nonce="${nonce}" src="/frame.js"></script>`,
  )
}

/** Replaces the form when the frame is opened directly or too late. */
export function noticePage(text: string, style: string, nonce: string): string {
  return page(style, nonce, `<p class="notice">${text}</p>`)
}

function page(style: string, nonce: string, body: string): string {
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${messages.number}</title><style nonce="${nonce}">${style}${styles}</style></head><body>${body}</body></html>`
}

const styles = `
*{box-sizing:border-box}
body{margin:0;padding:4px;background:var(--ground);color:var(--text);font:16px/1.5 var(--font)}
form{display:grid;gap:16px}
@media (min-width:451px){form{grid-template-columns:1fr 180px}.state{grid-column:1/-1}}
label{display:block;margin-bottom:6px;font-weight:600}
input{width:100%;min-height:48px;padding:8px 14px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:var(--text);font:inherit;font-size:17px;letter-spacing:.04em;font-variant-numeric:tabular-nums}
input:focus-visible{outline:3px solid var(--focus);outline-offset:1px}
input[aria-invalid=true]{border-color:var(--danger);box-shadow:inset 0 0 0 1px var(--danger)}
label span{margin-inline-start:3px;color:var(--danger)}
.error{margin:6px 0 0;font-size:14px;font-weight:600;color:var(--danger)}
.error:empty,.state:empty{display:none}
.state{margin:0;font-size:14px;color:var(--muted)}
.notice{margin:16px 0}
`
