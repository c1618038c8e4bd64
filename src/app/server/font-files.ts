import postcss, { type AtRule } from 'postcss'
import type { Theme } from '../../programs/partners/theme.ts'

interface Face {
  node: AtRule
  family: string
  /** Lowest and highest weight. */
  weights: [number, number]
  /** Null for a local font. */
  href: string | null
  range: string
}

export interface SelectedFaces {
  css: string
  /** The files with the characters that every page has. */
  files: string[]
}

/**
 * Selects the faces of a family that texts of some weights need: the smallest files that together have the weights, or
 * the nearest ones, and faces for other characters with the same weights. Faces of local fonts and other families are kept.
 */
export function selectFaces(
  sheet: string,
  weights: readonly number[],
  sizeOf: (href: string) => number,
): SelectedFaces {
  const faces = facesOf(sheet)
  const main = faces.filter(({ range }) => /^U\+20-/i.test(range))
  const selected = cheapest(main, weights, sizeOf)
  const isKept = ({ href, family, weights: [from, to] }: Face) =>
    href === null || family !== main[0]?.family || selected.some(({ weights: own }) => own[0] === from && own[1] === to)
  return {
    css: faces
      .filter(isKept)
      .map(({ node }) => node.toString())
      .join(''),
    files: main.filter(isKept).flatMap(({ href }) => href ?? []),
  }
}

/** Selects the faces of a theme: its texts have two weights, its titles one. Sheets are those of the two families. */
export function selectThemeFaces(
  sheets: Record<'body' | 'heading', string>,
  { strongWeight, headingWeight }: Pick<Theme['type'], 'strongWeight' | 'headingWeight'>,
  sizeOf: (href: string) => number,
): SelectedFaces {
  const { body, heading } = sheets
  if (body === heading) return selectFaces(body, [400, strongWeight, headingWeight], sizeOf)
  const parts = [selectFaces(body, [400, strongWeight], sizeOf), selectFaces(heading, [headingWeight], sizeOf)]
  return { css: parts.map(({ css }) => css).join(''), files: parts.flatMap(({ files }) => files) }
}

function cheapest(faces: readonly Face[], weights: readonly number[], sizeOf: (href: string) => number): Face[] {
  let combinations: Face[][] = [[]]
  for (const weight of weights) {
    const distances = faces.map(({ weights: [from, to] }) => Math.max(0, from - weight, weight - to))
    const nearest = faces.filter((_, index) => distances[index] === Math.min(...distances))
    combinations = combinations.flatMap((chosen) => nearest.map((face) => [...new Set([...chosen, face])]))
  }
  const bytesOf = (chosen: Face[]) => chosen.reduce((sum, { href }) => sum + sizeOf(href as string), 0)
  return combinations.reduce((best, each) => (bytesOf(each) < bytesOf(best) ? each : best))
}

function facesOf(sheet: string): Face[] {
  const faces: Face[] = []
  postcss.parse(sheet).walkAtRules('font-face', (node) => {
    const [, href = null] = /url\(["']?([^"')]+)/.exec(propertyOf(node, 'src')) ?? []
    const [from = 400, to = from] = propertyOf(node, 'font-weight').split(' ').filter(Boolean).map(Number)
    faces.push({
      node,
      family: propertyOf(node, 'font-family'),
      weights: [from, to],
      href,
      range: propertyOf(node, 'unicode-range'),
    })
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
