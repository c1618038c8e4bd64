/** What a page on another origin is told of the look of the page around it; the defaults stand where nothing is said. */
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

export const frameColourNames = Object.keys(defaults) as (keyof typeof defaults)[]

/** Colours from an address as custom properties, each checked: nothing else of the address comes into the page. */
export function frameColours(query: URLSearchParams): string {
  return frameColourNames
    .map((name) => {
      const given = query.get(name) ?? ''
      return `--${name}:#${/^[0-9a-f]{6}$/i.test(given) ? given : defaults[name]}`
    })
    .join(';')
}
