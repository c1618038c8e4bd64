import postcss, { type AtRule } from 'postcss'

interface Face {
  /** Lowest and highest weight. */
  weights: [number, number]
  href: string
}

/**
 * Returns the font file of a family's stylesheet for a weight: of the first face that covers it, else of the nearest.
 * Null when no face has a file, such as those of local fonts.
 */
export function fontFileOf(sheet: string, weight: number): string | null {
  const distance = ({ weights: [from, to] }: Face) => Math.max(0, from - weight, weight - to)
  const [nearest] = facesOf(sheet).sort((a, b) => distance(a) - distance(b))
  return nearest?.href ?? null
}

function facesOf(sheet: string): Face[] {
  const faces: Face[] = []
  postcss.parse(sheet).walkAtRules('font-face', (face) => {
    const [, href] = /url\(["']?([^"')]+)/.exec(propertyOf(face, 'src')) ?? []
    const range = propertyOf(face, 'unicode-range')
    const [from = 400, to = from] = propertyOf(face, 'font-weight').split(' ').filter(Boolean).map(Number)
    // A face for single characters is requested when they appear.
    if (href !== undefined && !/^U\+AE$/i.test(range)) faces.push({ weights: [from, to], href })
  })
  return faces
}

function propertyOf(face: AtRule, property: string): string {
  let found = ''
  face.walkDecls(property, ({ value }) => {
    found = value
  })
  return found
}
