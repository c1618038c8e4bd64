import type { BrowserCsrf } from '../../../../platform/browser/browser-api.ts'

let kept: BrowserCsrf | null = null

/** Called once by the client's entry. */
export function rememberCsrf(csrf: BrowserCsrf): void {
  kept = csrf
}

/** A new session's token replaces the visitor's. */
export function renewCsrf(token: string): void {
  kept?.renew(token)
}
