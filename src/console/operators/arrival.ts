import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../platform/html.ts'

/**
 * Returns whether a link on another site, such as a member's page or a web mail, has led to a page of the console. The
 * browser sends the cookie of the session, which is strict, only with requests that the console itself has caused.
 */
export function isArrival({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && (site === 'cross-site' || site === 'same-site')
  )
}

/**
 * Sends a page that loads its own address once more. That request comes from the console, so it has the cookie; and it is
 * no arrival, so it happens once.
 */
export function sendArrival(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="0">
<title>Dineback console</title>
</head>
<body><p><a href="${escapeHtml(request.url)}">Go on to the console</a></p></body>
</html>
`,
    )
}
