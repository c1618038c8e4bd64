/** Maximum length of an email address (RFC 5321). */
export const maxEmailLength = 254

// RFC 5321: a dot-atom before the @, and a host name of labels with at most 63 characters. The last one begins with a
// letter, as every top-level domain does.
const atoms = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
const label = '(?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])'
export const emailPattern = new RegExp(
  `^(?=.{1,${maxEmailLength}}$)(?=.{1,64}@)${atoms}@(?:[A-Za-z0-9]${label}?\\.)+[A-Za-z]${label}$`,
)

/**
 * Returns an address with the domain as mail servers know it: `ada@bücher.example` is `ada@xn--bcher-kva.example`. Any
 * other text is returned unchanged.
 */
export function toAsciiEmail(text: string): string {
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  if (!/[^\0-\x7f]/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return text
  try {
    return text.slice(0, at) + new URL(`http://${domain}`).hostname
  } catch {
    return text
  }
}
