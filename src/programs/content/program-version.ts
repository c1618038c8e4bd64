import { createHash } from 'node:crypto'
import type { Ctx } from '../../platform/http/context.ts'

const flagHashes = new WeakMap<Ctx['flags'], string>()

/** Returns the hash of a program's flags; computed once per state, because every response carries it. */
function flagHash(flags: Ctx['flags']): string {
  const known = flagHashes.get(flags)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(JSON.stringify(flags)).digest('base64url').slice(0, 8)
  flagHashes.set(flags, hash)
  return hash
}

/**
 * Returns a version of everything that this program's pages depend on except restaurants: content, messages and feature
 * flags.
 */
export function programVersion(ctx: Pick<Ctx, 'content' | 'flags'>): string {
  return `${ctx.content.shown.version}.${flagHash(ctx.flags)}`
}
