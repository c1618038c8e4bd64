/**
 * Replaces `{name}` with values in one pass. Values are literal text: `$&` or `{name}` in a value has no effect.
 * Unknown names stay unchanged.
 */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? placeholder) : placeholder,
  )
}
