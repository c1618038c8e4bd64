import { harmlessHtml } from '../harmless-html.ts'

/** The part of the browser's Trusted Types that pages use; Safari before 26 and the server have none. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

/** Name of the policy for HTML that the server has sanitized. The page's Content-Security-Policy allows it. */
export const htmlPolicy = 'sanitized'

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy(htmlPolicy, { createHTML: (html) => html })

/** Marks HTML as trusted, so that the browser accepts it for `innerHTML`. `html` must never contain user input. */
export function trustHtml(html: string): string {
  return policy ? policy.createHTML(html) : html
}

/**
 * Returns a script that limits what the page may pass to dangerous functions of the browser: addresses of scripts and
 * workers at its own origin and the given ones, harmless HTML, and the HTML by which React creates script elements.
 */
export function defaultPolicyScript(origins: readonly string[]): string {
  const allowed = `[location.origin,${origins.map((origin) => JSON.stringify(origin)).join()}]`
  const createScriptURL = `u=>${allowed}.includes(new URL(u,location).origin)?u:null`
  const createHTML = String.raw`h=>h=="\x3cscript>\x3c/script>"||/${harmlessHtml}/.test(h)?h:null`
  return `self.trustedTypes&&trustedTypes.createPolicy("default",{createScriptURL:${createScriptURL},createHTML:${createHTML}});`
}
