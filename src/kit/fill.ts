/**
 * Puts values in place of `{name}`, in one pass: a value is text, so neither `$&` nor `{name}` in it means anything.
 * Unknown names stay as they are.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
