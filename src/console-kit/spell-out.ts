/** Returns the words for an identifier that has none of its own: `claim.settled-late` is `Claim settled late`. */
export function spellOut(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._-]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
