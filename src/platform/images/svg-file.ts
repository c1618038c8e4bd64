/** Adds the namespace that an SVG file requires; inline SVG needs none. */
export function withNamespace(svg: string): string {
  return svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
}
