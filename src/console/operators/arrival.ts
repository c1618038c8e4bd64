import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeReturnPath } from '../../identity/session/sso/return-path.ts'
import { escapeHtml } from '../../platform/html.ts'

/**
 * Returns whether a link on another site, such as a member's page or a web mail, has led to a page of the console. The
 * browser sends the cookie of the session, which is strict, only with requests that the console itself has caused.
 */
export function isArrival({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && (site === 'cross-site' || site === 'same-site')
}

/**
 * Sends a page that loads its own address once more. That request comes from the console, so it has the cookie; and it is
 * no arrival, so it happens once.
 */
export function sendArrival(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Named, because a browser does not load an address with a fragment again.
  const address = escapeHtml(safeReturnPath(request.url, '/'))
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Dineback console</title>
</head>
<body><p><a href="${address}">Go on to the console</a></p></body>
</html>
`,
    )
}
