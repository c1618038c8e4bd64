import { createHash } from 'node:crypto'
import { drawPng } from '../../platform/images/draw-png.ts'

const drawn = new Map<string, Uint8Array>()

/** Returns a content hash of a mark, used in icon URLs. */
export function markVersion(svg: string): string {
  return createHash('sha256').update(svg).digest('base64url').slice(0, 10)
}

/** Returns a program's mark as a square PNG of `size` pixels. The mark includes its own background and safe area. */
export async function drawIcon(svg: string, size: number): Promise<Uint8Array> {
  const key = `${markVersion(svg)} ${size}`
  const known = drawn.get(key)
  if (known) return known
  const png = await drawPng(svg, size)
  drawn.set(key, png)
  return png
}
