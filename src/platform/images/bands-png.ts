import { crc32, deflateSync } from 'node:zlib'

export interface Bands {
  width: number
  height: number
  /** `#rrggbb` of the upper and the lower band. */
  upper: string
  lower: string
  /** Top of the lower band, in pixels. */
  edge: number
}

/** Returns a PNG of two color bands, without a renderer. */
export function bandsPng({ width, height, upper, lower, edge }: Bands): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit per pixel: an index into the palette.
  header.set([1, 3, 0, 0, 0], 8)
  const palette = Buffer.from(`${upper.slice(1)}${lower.slice(1)}`, 'hex')
  // Each row starts with its filter type, 0.
  const row = 1 + Math.ceil(width / 8)
  const rows = Buffer.alloc(row * height, 0xff)
  for (let y = 0; y < height; y++) {
    if (y < edge) rows.fill(0, y * row, (y + 1) * row)
    else rows[y * row] = 0
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(data.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}
