import { bandsPng } from '../../platform/images/bands-png.ts'
import { DrawingBusy, drawPng } from '../../platform/images/draw-png.ts'
import type { Program } from '../partners/context.ts'

type PreviewImage = Program['previewImage']

const drawn = new WeakMap<PreviewImage, Uint8Array>()

/**
 * Returns a program's preview image as a PNG: two bands of color when the renderer fails. Throws DrawingBusy when too
 * many images are queued.
 */
export async function drawPreviewImage(image: PreviewImage): Promise<Uint8Array> {
  const known = drawn.get(image)
  if (known) return known
  const png = await drawPng(image.svg, image.width).catch((error) => {
    if (error instanceof DrawingBusy) throw error
    return bandsPng({ ...image, ...image.colors, edge: Math.round(image.height * 0.6) })
  })
  drawn.set(image, png)
  return png
}
