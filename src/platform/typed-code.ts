// Without ambiguous characters (Crockford), because codes are read aloud and typed.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Returns a human-readable code in groups of five characters, each of five bits: `7K3MD-0QX9T-…`. `random` returns the
 * given number of bytes.
 */
export function generateCode(random: (count: number) => Uint8Array, characters: number): string {
  const text = [...random(characters)].map((byte) => alphabet[byte % 32]).join('')
  return text.match(/.{1,5}/g)?.join('-') ?? ''
}

/** Normalizes a typed code for comparison: `o` becomes zero; case and spaces are ignored. */
export function plainCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
}
