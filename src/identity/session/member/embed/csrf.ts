import type { BrowserCsrf } from '../../../../platform/browser/browser-api.ts'

let browserCsrf: BrowserCsrf | null = null

/** Called once by the client's entry. */
export function setBrowserCsrf(csrf: BrowserCsrf): void {
  browserCsrf = csrf
}

/** A new session's token replaces the visitor's. */
export function renewCsrf(token: string): void {
  browserCsrf?.renew(token)
}
