import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../../platform/time.ts'

/** Lifetime of a preview (milliseconds); afterwards the editor must request it again. */
export const previewTtlMs = 60 * MINUTE

export interface PreviewPass {
  partnerId: string
  /** The previewing editor's email address. */
  editor: string
}

export interface IssuedPass extends PreviewPass {
  issuedAt: Date
}

/** Returns a pass that lets its bearer see one program's drafts for an hour. `key` is shared by all processes. */
export function signPreviewPass(key: Buffer, { partnerId, editor }: PreviewPass, now = Date.now()): string {
  const claim = Buffer.from(JSON.stringify([partnerId, editor, now + previewTtlMs])).toString('base64url')
  return `${claim}.${seal(key, claim)}`
}

/** Returns the holder of a pass, or null when it is forged, expired, or for another program. */
export function readPreviewPass(key: Buffer, partnerId: string, pass: string, now = Date.now()): IssuedPass | null {
  const [claim = '', given = '', ...rest] = pass.split('.')
  const [a, b] = [Buffer.from(seal(key, claim)), Buffer.from(given)]
  if (rest.length > 0 || a.length !== b.length || !timingSafeEqual(a, b)) return null
  const [owner, editor, until] = JSON.parse(Buffer.from(claim, 'base64url').toString()) as [string, string, number]
  if (owner !== partnerId || now >= until) return null
  return { partnerId, editor, issuedAt: new Date(until - previewTtlMs) }
}

function seal(key: Buffer, claim: string): string {
  return createHmac('sha256', key).update(`preview:${claim}`).digest('base64url')
}
