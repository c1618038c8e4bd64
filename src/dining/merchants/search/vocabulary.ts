import { growColumn } from './grow-column.ts'
import { PrefixList } from './prefix-list.ts'
import {
  allowedTypos,
  cuisineSynonyms,
  field,
  fieldBits,
  matchWord,
  requiredWords,
  scoreWord,
  type WordMatch,
} from './relevance.ts'
import { wordsOf } from './text.ts'

const fieldRange = (1 << fieldBits) - 1
const everySlot = () => true
const wholeName: WordMatch = { quality: 1, fields: field.name }

/** The words of a merchant by field. */
export interface Texts {
  name: string
  cuisines: readonly string[]
  neighborhood: string
  city: string
  state: string
  zipCode: string
  address1: string
}

/** Matching slots and their scores: an array by slot, valid until the next search. */
export interface Match {
  slots: number[]
  scores: Float64Array
}

interface Word {
  text: string
  /** Its letters as a bit set. */
  charSet: number
  /** Slots that contain it, with the fields: `slot << fieldBits | fields`. */
  places: number[]
}

/**
 * Inverted index of merchant words. The cost of a search grows with the matching words: prefixes are found in a sorted
 * list, and typos are pre-filtered by letters before any edit distance is computed. Append-only.
 */
export class Vocabulary {
  readonly #words = new Map<string, Word>()
  readonly #beginnings = new PrefixList()
  /** Words by length, for typo tolerance. */
  readonly #byLength: Word[][] = []
  #nameLengths = new Uint8Array(1024)
  #scores = new Float64Array(1024)
  #best = new Float64Array(1024)
  /** Number of required words found in each slot. */
  #found = new Uint8Array(1024)
  #touched: number[] = []

  add(slot: number, texts: Texts): void {
    const fields = new Map<string, number>()
    const put = (bit: number, text: string) => {
      const words = wordsOf(text)
      for (const word of words) fields.set(word, (fields.get(word) ?? 0) | bit)
      return words.length
    }
    this.#grow(slot)
    this.#nameLengths[slot] = Math.min(255, Math.max(1, put(field.name, texts.name)))
    for (const cuisine of texts.cuisines) put(field.cuisine, cuisine)
    put(field.neighborhood, texts.neighborhood)
    put(field.city, `${texts.city} ${texts.zipCode}`)
    put(field.address, `${texts.address1} ${texts.state}`)
    for (const [word, bits] of fields) this.#wordOf(word).places.push((slot << fieldBits) | bits)
  }

  /**
   * Returns the slots that match every required word of the text, among those that `counts` accepts; null when no word
   * is required. `counts` runs first because most slots with a word are too far away.
   */
  find(text: string, fuzzy: boolean, counts: (slot: number) => boolean = everySlot): Match | null {
    const { required, optional } = requiredWords(wordsOf(text))
    if (required.length === 0) return null
    for (const slot of this.#touched) this.#found[slot] = 0
    this.#touched = []
    for (const [count, word] of required.entries()) {
      this.#require(word, count, fuzzy, counts)
      if (this.#touched.length === 0) break
    }
    const slots = this.#touched.filter((slot) => this.#found[slot] === required.length)
    for (const slot of slots) this.#scores[slot] = (this.#scores[slot] as number) + (this.#best[slot] as number)
    for (const word of optional) this.#boostNames(word, required.length)
    return { slots, scores: this.#scores }
  }

  // A slot remains only while it has every word so far; among several matches of a word the best one counts.
  #require(typed: string, count: number, fuzzy: boolean, counts: (slot: number) => boolean): void {
    for (const { word, match } of this.#matchingWords(typed, fuzzy)) {
      for (const place of word.places) {
        const slot = place >>> fieldBits
        const found = this.#found[slot] as number
        if (found !== count && found !== count + 1) continue
        if (count === 0 && found === 0 && !counts(slot)) continue
        const value = scoreWord(match, place & fieldRange, this.#nameLengths[slot] as number)
        if (value === 0) continue
        if (found === count + 1) {
          if (value > (this.#best[slot] as number)) this.#best[slot] = value
          continue
        }
        if (count === 0) this.#touched.push(slot)
        this.#scores[slot] = count === 0 ? 0 : (this.#scores[slot] as number) + (this.#best[slot] as number)
        this.#best[slot] = value
        this.#found[slot] = count + 1
      }
    }
  }

  #boostNames(typed: string, required: number): void {
    for (const place of this.#words.get(typed)?.places ?? []) {
      const slot = place >>> fieldBits
      if (this.#found[slot] !== required) continue
      const value = scoreWord(wholeName, place & fieldRange, this.#nameLengths[slot] as number)
      this.#scores[slot] = (this.#scores[slot] as number) + value
    }
  }

  #matchingWords(typed: string, fuzzy: boolean): { word: Word; match: WordMatch }[] {
    const typos = fuzzy ? allowedTypos(typed) : 0
    const candidates = new Set<Word>()
    const consider = (text: string) => {
      const word = this.#words.get(text)
      if (word) candidates.add(word)
    }
    consider(typed)
    if (typed.length >= 2) for (const text of this.#beginnings.startingWith(typed)) consider(text)
    for (const text of cuisineSynonyms(typed)) consider(text)
    if (typos > 0) {
      const charSet = toCharSet(typed)
      for (let length = typed.length - typos; length <= typed.length + typos; length++) {
        for (const word of this.#byLength[length] ?? []) {
          // One typo changes the set of letters by at most two.
          if (bitsOf(word.charSet ^ charSet) <= 2 * typos) candidates.add(word)
        }
      }
    }
    return [...candidates]
      .map((word) => ({ word, match: matchWord(typed, word.text, fuzzy) }))
      .filter(({ match }) => match.quality > 0)
  }

  #wordOf(text: string): Word {
    let word = this.#words.get(text)
    if (!word) {
      word = { text, charSet: toCharSet(text), places: [] }
      this.#words.set(text, word)
      this.#beginnings.add(text)
      const alike = this.#byLength[text.length]
      if (alike) alike.push(word)
      else this.#byLength[text.length] = [word]
    }
    return word
  }

  #grow(slot: number): void {
    if (slot < this.#found.length) return
    this.#nameLengths = growColumn(this.#nameLengths, slot)
    this.#scores = growColumn(this.#scores, slot)
    this.#best = growColumn(this.#best, slot)
    this.#found = growColumn(this.#found, slot)
  }
}

// Letters and digits share 32 bits: two characters on one bit only add a candidate, which the edit distance rejects.
function toCharSet(text: string): number {
  let bits = 0
  for (let index = 0; index < text.length; index++) bits |= 1 << (text.charCodeAt(index) & 31)
  return bits
}

function bitsOf(number: number): number {
  let count = 0
  for (let rest = number; rest !== 0; rest &= rest - 1) count++
  return count
}
