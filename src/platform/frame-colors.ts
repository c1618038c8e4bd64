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

/**
 * Returns the colors of a query as custom properties. Each value is validated; other parameters are ignored. Controls that
 * the browser draws, such as radio buttons, follow the ground: their own colors would not stand out on a dark one.
 */
export function frameColors(query: URLSearchParams): string {
  const colorOf = (name: keyof typeof defaults) => {
    const given = query.get(name) ?? ''
    return /^[0-9a-f]{6}$/i.test(given) ? given : defaults[name]
  }
  const scheme = isDark(colorOf('ground')) ? 'dark' : 'light'
  return [`color-scheme:${scheme}`, ...frameColorNames.map((name) => `--${name}:#${colorOf(name)}`)].join(';')
}

/** Returns whether white contrasts more with a color than black does (WCAG). */
function isDark(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179
}
