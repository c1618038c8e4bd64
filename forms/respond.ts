import type { FastifyReply, FastifyRequest } from 'fastify'
import { frameColors } from '../src/platform/frame-colors.ts'
import { createNonce, csp, NONE, nonceSource, SELF } from '../src/platform/http/csp.ts'
import { frameFont } from '../src/platform/http/frame-fonts.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import { noticePage, type PageStyle } from './form-page.ts'

/** Reads the page style from the address (colors, font) and whether the page is framed. */
export function pageStyleOf(request: FastifyRequest): PageStyle {
  const nonce = createNonce()
  const query = queryOf(request)
  return { nonce, styles: `:root{${frameColors(query)}}${frameFont(query)}`, isFramed: query.get('view') === 'frame' }
}

/** Sends a page with a message only. */
export function sendNoticePage(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const style = pageStyleOf(request)
  return sendPage(reply, null, style.nonce, noticePage(text, style))
}

/** Sends a page that only the program's own pages may frame, and whose forms submit only to itself or to them. */
export function sendPage(reply: FastifyReply, appOrigin: string | null, nonce: string, page: string): FastifyReply {
  const policy = csp({
    'default-src': NONE,
    'style-src': nonceSource(nonce),
    'script-src': nonceSource(nonce),
    'font-src': SELF,
    'base-uri': NONE,
    'form-action': appOrigin ? [SELF, appOrigin] : SELF,
    'frame-ancestors': appOrigin ?? NONE,
  })
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
}
