import { createHash } from 'node:crypto'
import type { Ctx } from '../kit/server/context.ts'

/** Names everything that a page of this program was made of but its restaurants: content, words and switches. */
export function programVersion(ctx: Pick<Ctx, 'content' | 'flags'>): string {
  const flags = createHash('sha256').update(JSON.stringify(ctx.flags)).digest('base64url').slice(0, 8)
  return `${ctx.content.shown.version}.${flags}`
}
