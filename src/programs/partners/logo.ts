/** The logo of a program as pages show it. */
export type Logo =
  /** A file with content hash in its address, referenced by `<use>`; it has the colors of the text around it. */
  | { kind: 'file'; href: string; viewBox: string }
  /** The SVG itself. */
  | { kind: 'inline'; svg: string }

/** Id of the root element in the file. */
export const logoId = 'logo'

/** Returns whether an SVG can be referenced from another document: references within it would not be found there. */
export function isReferable(svg: string): boolean {
  return !/url\(|href\s*=/i.test(svg) && viewBoxOf(svg) !== null
}

export function viewBoxOf(svg: string): string | null {
  return /^<svg[^>]*\sviewBox="([^"]+)"/.exec(svg)?.[1] ?? null
}
