import { createHash } from 'node:crypto'
import { withNamespace } from '../../platform/images/svg-file.ts'
import type { Theme } from './theme.ts'

/** Size of preview images in social networks, in pixels. */
const [width, height] = [1200, 630] as const
const markSize = 378

/** A program's image for link previews: its mark on the color of its header. */
export interface PreviewImage {
  svg: string
  width: number
  height: number
  /** Colors of the upper and the lower part of an image without the mark. */
  colors: { upper: string; lower: string }
  /** Address of the PNG; contains a hash of the image. */
  href: string
}

export function createPreviewImage(mark: string, theme: Theme): PreviewImage {
  const { header, ground } = theme.colors[theme.defaultMode]
  const at = `x="${(width - markSize) / 2}" y="${(height - markSize) / 2}" width="${markSize}" height="${markSize}"`
  const drawnMark = `data:image/svg+xml;base64,${Buffer.from(withNamespace(mark)).toString('base64')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="${header}" d="M0 0h${width}v${height}H0z"/><image ${at} href="${drawnMark}"/></svg>`
  const hash = createHash('sha256').update(svg).digest('base64url').slice(0, 22)
  return { svg, width, height, colors: { upper: header, lower: ground }, href: `/social/${hash}.png` }
}
