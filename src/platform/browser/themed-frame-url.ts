import { fontKeyFrom } from '../font-keys.ts'
import { frameColorNames } from '../frame-colors.ts'

/** Colors whose names differ from those of the theme. */
const properties: Partial<Record<(typeof frameColorNames)[number], string>> = {
  line: '--control-line',
  muted: '--text-muted',
  onPrimary: '--on-primary',
}

/** Returns a frame's URL with this page's colors and font, so that the frame matches the page. */
export function themedFrameUrl(frameUrl: string): string {
  const url = new URL(frameUrl)
  if (typeof document === 'undefined') return url.href
  const style = getComputedStyle(document.documentElement)
  for (const name of frameColorNames) {
    const value = style.getPropertyValue(properties[name] ?? `--${name}`).trim()
    if (/^#[0-9a-f]{6}$/i.test(value)) url.searchParams.set(name, value.slice(1))
  }
  const font = fontKeyFrom(style.getPropertyValue('--font-body'))
  if (font) url.searchParams.set('font', font)
  return url.href
}
