import { escapeHtml as safe } from '../src/platform/html.ts'
import type { SampleUser } from './users.ts'

interface SignInPage {
  uid: string
  clientName: string
  userName: string
  error: string | null
  /** Shown as a hint; empty hides them. */
  users: readonly SampleUser[]
  nonce: string
}

/** The sample provider's sign-in page. It takes the place of the partner's own page. */
export function signInPage({ uid, clientName, userName, error, users, nonce }: SignInPage): string {
  const hint =
    users.length === 0
      ? ''
      : `<aside><h2>Sample customers</h2><table><thead><tr><th scope="col">User name</th><th scope="col">Password</th></tr></thead><tbody>${users
          .map((user) => `<tr><td>${safe(user.userName)}</td><td>${safe(user.password)}</td></tr>`)
          .join('')}</tbody></table></aside>`
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign in to ${safe(clientName)}</title><style nonce="${nonce}">${styles}</style></head><body><main><p class="brand">${safe(clientName)} ID</p><h1>Sign in</h1><p>One sign-in for everything at ${safe(clientName)}.</p>${
    error ? `<p role="alert" class="error">${safe(error)}</p>` : ''
  }<form method="post" action="/interaction/${encodeURIComponent(uid)}/login"><label for="user">User name</label><input id="user" name="userName" type="email" autocomplete="username" required value="${safe(userName)}"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required><button type="submit">Continue</button></form><p><a href="/interaction/${encodeURIComponent(uid)}/abort">Back to where you came from</a></p>${hint}</main></body></html>`
}

/** Renders links to the home pages of the programs, for a page that does not know from which one its person came. */
export const waysBack = (clients: readonly { name: string; redirectUris: readonly string[] }[]): string =>
  clients
    .map(
      ({ name, redirectUris: [uri = ''] }) =>
        `<p><a href="${safe(new URL('/', uri).href)}">Back to ${safe(name)}</a></p>`,
    )
    .join('')

/** Renders a page with a message only. */
export function noticePage(title: string, text: string, nonce: string, form = ''): string {
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(title)}</title><style nonce="${nonce}">${styles}</style></head><body><main><h1>${safe(title)}</h1><p>${safe(text)}</p>${form}</main></body></html>`
}

const styles = `
*{box-sizing:border-box}body{margin:0;background:#eef2f3;color:#14222b;font:17px/1.5 system-ui,sans-serif}
main{max-width:460px;margin:6vh auto;padding:clamp(24px,6vw,44px);background:#fff;border-top:5px solid #0f766e}
h1{margin:0 0 4px;font-size:30px}h2{font-size:16px}.brand{margin:0 0 20px;font-weight:700;color:#0b5f58}
form{display:grid;gap:6px;margin:24px 0}label{font-weight:600;margin-top:10px}
input{min-height:48px;padding:8px 12px;border:1px solid #5f7078;border-radius:6px;font:inherit}
button{min-height:48px;margin-top:18px;padding:8px 20px;border:0;border-radius:6px;background:#0b5f58;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button.quiet{background:none;color:#0b5f58;border:1px solid #0b5f58}
:focus-visible{outline:3px solid #1d4ed8;outline-offset:2px}a{color:#0b5f58}
.error{padding:10px 14px;border-left:4px solid #b3261e;background:#fdecea;color:#8c1d18;font-weight:600}
aside{margin-top:28px;padding-top:12px;border-top:1px solid #cfd8dc;font-size:14px}
table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:4px 8px 4px 0;overflow-wrap:anywhere}
`
