import { pngVersion } from '../../../platform/images/draw-png.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { coverArt, type Subject } from './cover-art.ts'

/** Preview image for social networks, which accept no SVG: 1200 by 630 pixels. */
export const socialSize = { width: 1200, height: 630 }

/** Returns the SVG of a restaurant's preview image, and its address, which contains a hash of the image. */
export function socialImage(subject: Subject): { svg: string; version: string; href: string } {
  const { width, height } = socialSize
  const svg = coverArt(subject, { width, ratio: width / height })
  const version = pngVersion(svg, width)
  return { svg, version, href: `/art/${subject.publicId}/social/${version}.png` }
}

/** Returns what the images of a restaurant show. */
export function toSubject(row: Pick<MerchantRow, 'publicId' | 'name' | 'cuisines' | 'neighborhood'>): Subject {
  const { publicId, name, cuisines, neighborhood } = row
  return { publicId, name, cuisine: cuisines[0] ?? '', neighborhood }
}
