import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { frameColors } from '../src/platform/frame-colors.ts'
import { frameFont } from '../src/platform/http/frame-fonts.ts'
import { queryOf } from '../src/platform/http/request-boundary.ts'
import { noticePage, type PageStyle } from './form-page.ts'

/** Reads the page style from the address (colors, font) and whether the page is framed. */
export function pageStyleOf(request: FastifyRequest): PageStyle {
  const nonce = randomBytes(16).toString('base64')
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
  const policy = {
    'default-src': "'none'",
    'style-src': `'nonce-${nonce}'`,
    'script-src': `'nonce-${nonce}'`,
    'font-src': "'self'",
    'base-uri': "'none'",
    'form-action': ["'self'", appOrigin].filter(Boolean).join(' '),
    'frame-ancestors': appOrigin ?? "'none'",
  }
  const text = Object.entries(policy).map(([name, value]) => `${name} ${value}`)
  return reply.header('content-security-policy', text.join('; ')).type('text/html; charset=utf-8').send(page)
}

/** Rejects forms of other sites by the browser's `Sec-Fetch-Site` header. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin'
}
