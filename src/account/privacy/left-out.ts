/** What an export omits, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  secrets: 'Hashes, tokens and keys: they say nothing about you, and could be misused by anyone who finds the file.',
  cards: 'Card numbers: we never have them. The card vault stores them encrypted.',
  surveys: 'Survey responses: the form service stores them without your name.',
}
