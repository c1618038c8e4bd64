/** Normalizes text to words for comparison: lower case, without accents and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}

let rows = [0, 1, 2].map(() => new Uint16Array(128)) as [Uint16Array, Uint16Array, Uint16Array]

/** Returns true when two words are at most `maxEdits` edits apart (insert, delete, replace, swap of neighbors). */
export function isWithinEditDistance(a: string, b: string, maxEdits: number): boolean {
  if (Math.abs(a.length - b.length) > maxEdits) return false
  if (b.length >= rows[0].length) rows = [0, 1, 2].map(() => new Uint16Array(2 * b.length)) as typeof rows
  let [before, row, next] = rows
  for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    let least = i
    next[0] = i
    for (let j = 1; j <= b.length; j++) {
      const cost = letter === b.charCodeAt(j - 1) ? 0 : 1
      let best = Math.min((next[j - 1] as number) + 1, (row[j] as number) + 1, (row[j - 1] as number) + cost)
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        best = Math.min(best, (before[j - 2] as number) + 1)
      next[j] = best
      if (best < least) least = best
    }
    if (least > maxEdits) return false
    ;[before, row, next] = [row, next, before]
  }
  return (row[b.length] as number) <= maxEdits
}

/** Returns true when a letter of `word` is missing, doubled, or swapped with its neighbor in the typed word. */
export function isSlip(typed: string, word: string): boolean {
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  const [typedRest, rest] = [typed.slice(at), word.slice(at)]
  const isMissing = typedRest === rest.slice(1)
  const isDoubled = at > 0 && typed[at] === typed[at - 1] && typedRest.slice(1) === rest
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at] && typedRest.slice(2) === rest.slice(2)
  return isMissing || isDoubled || isSwapped
}
