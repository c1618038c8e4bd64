/** The frame's address with this page's colours, so that it looks at home. */
export function frameAddress(frameUrl: string): string {
  const url = new URL(frameUrl)
  if (typeof document === 'undefined') return url.href
  const style = getComputedStyle(document.documentElement)
  const names = {
    ground: '--ground',
    text: '--text',
    line: '--control-line',
    focus: '--focus',
    danger: '--danger',
    muted: '--text-muted',
    surface: '--surface',
  }
  for (const [name, property] of Object.entries(names)) {
    const value = style.getPropertyValue(property).trim()
    if (/^#[0-9a-f]{6}$/i.test(value)) url.searchParams.set(name, value.slice(1))
  }
  return url.href
}
