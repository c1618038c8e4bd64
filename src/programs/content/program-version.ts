import { createHash } from 'node:crypto'
import type { Ctx } from '../../platform/http/context.ts'

/**
 * Returns a version of everything that this program's pages depend on except restaurants: content, messages and feature
 * flags.
 */
export function programVersion(ctx: Pick<Ctx, 'content' | 'flags'>): string {
  const flags = createHash('sha256').update(JSON.stringify(ctx.flags)).digest('base64url').slice(0, 8)
  return `${ctx.content.shown.version}.${flags}`
}
