/** Defaults of the colors that a frame on another origin receives from the embedding page. */
const defaults = {
  ground: 'ffffff',
  surface: 'ffffff',
  text: '1b1b1b',
  muted: '5a5a5a',
  line: '767676',
  focus: '1a56db',
  danger: 'b3261e',
  primary: '1b1b1b',
  onPrimary: 'ffffff',
}

export const frameColorNames = Object.keys(defaults) as (keyof typeof defaults)[]

/** Returns the colors of a query as custom properties. Each value is validated; other parameters are ignored. */
export function frameColors(query: URLSearchParams): string {
  return frameColorNames
    .map((name) => {
      const given = query.get(name) ?? ''
      return `--${name}:#${/^[0-9a-f]{6}$/i.test(given) ? given : defaults[name]}`
    })
    .join(';')
}
