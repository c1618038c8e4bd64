import { LRUCache } from 'lru-cache'
import { allowedTypos, cuisineSynonyms, field, fieldBits, matchWord, scoreWord, type WordMatch } from '../relevance.ts'
import { type Bitmap, bitmapFor, hasBit } from '../segment/bitmap.ts'
import type { Columns } from '../segment/columns.ts'
import { TextList } from './text-list.ts'
import { TypoIndex } from './typo-index.ts'

const fieldRange = (1 << fieldBits) - 1
const wholeName: WordMatch = { quality: 1, fields: field.name }
const noMatch: WordMatch = { quality: 0, fields: 0 }
const maxTerms = 500
/** Bytes of sets of slots of frequent words. */
const maxBitmapBytes = 32e6

/** The words of a segment that match one typed word. */
export interface Term {
  typed: string
  /** The words that begin with it: the first, and the one after the last. */
  from: number
  until: number
  /** Synonyms and words within the allowed typos. */
  others: ReadonlyMap<number, WordMatch>
  /** Number of slots of these words. A slot with several words counts several times. */
  size: number
}

/** The words that decide the score of a slot. */
export interface Scorer {
  terms: readonly Term[]
  /** Words that only raise the score, when they are in the name. */
  optional: readonly string[]
  /** Number of typed words. */
  typedCount: number
}

/** The slots with one score for a term: lists sorted by rank. */
export interface Level {
  value: number
  runs: number[]
  size: number
}

/** Inverted index of the words of a segment. */
export class WordIndex {
  readonly #words: TextList
  readonly #typos: TypoIndex
  readonly #columns: Record<
    'wordRuns' | 'runStarts' | 'runClasses' | 'runSlots' | 'slotWords' | 'slotWordStarts' | 'nameLengths',
    Uint32Array | Uint16Array | Uint8Array
  >
  readonly #slotWords: Uint32Array
  readonly #slotWordStarts: Uint32Array
  readonly #nameLengths: Uint8Array
  readonly #terms = new LRUCache<string, Term, boolean>({
    max: maxTerms,
    memoMethod: (key, _stale, { context: fuzzy }) => this.#resolve(key.slice(1), fuzzy),
  })
  readonly #levels = new WeakMap<Term, Level[]>()
  readonly #bitmaps = new LRUCache<Term, Bitmap>({
    maxSize: maxBitmapBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })

  constructor(columns: Columns) {
    this.#words = new TextList(columns.wordBytes as Uint8Array, columns.wordStarts as Uint32Array)
    this.#typos = new TypoIndex(this.#words, columns)
    this.#columns = columns as never
    this.#slotWords = columns.slotWords as Uint32Array
    this.#slotWordStarts = columns.slotWordStarts as Uint32Array
    this.#nameLengths = columns.nameLengths as Uint8Array
  }

  /** Returns true for a word of a merchant. */
  has(word: string): boolean {
    return this.#words.find(word) >= 0
  }

  /** Returns the words that match a typed one. */
  term(typed: string, fuzzy: boolean): Term {
    return this.#terms.memo(`${fuzzy ? '~' : '='}${typed}`, { context: fuzzy })
  }

  #resolve(typed: string, fuzzy: boolean): Term {
    let [from, until] = this.#words.withPrefix(typed)
    // A single letter matches only itself.
    if (typed.length < 2 && until > from) until = from + (this.#words.lengthAt(from) === typed.length ? 1 : 0)
    const others = new Map<number, WordMatch>()
    const consider = (word: number) => {
      if (word < 0 || (word >= from && word < until)) return
      const match = matchWord(typed, this.#words.at(word), fuzzy)
      if (match.quality > 0) others.set(word, match)
    }
    for (const synonym of cuisineSynonyms(typed)) consider(this.#words.find(synonym))
    const typos = fuzzy ? allowedTypos(typed) : 0
    if (typos !== 0) for (const word of this.#typos.find(typed, typos)) consider(word)
    let size = this.#sizeOf(from, until)
    for (const word of others.keys()) size += this.#sizeOf(word, word + 1)
    return { typed, from, until, others, size }
  }

  #sizeOf(from: number, until: number): number {
    const { wordRuns, runStarts } = this.#columns
    return (runStarts[wordRuns[until] as number] as number) - (runStarts[wordRuns[from] as number] as number)
  }

  #matchOf(term: Term, word: number): WordMatch {
    if (word < term.from || word >= term.until) return term.others.get(word) ?? noMatch
    return matchPrefix(term.typed, this.#words.lengthAt(word))
  }

  /** Returns the score of a slot for a term: that of the best of its words; 0 without any. */
  scoreOf(term: Term, slot: number): number {
    const { from, until, others } = term
    const end = this.#slotWordStarts[slot + 1] as number
    let best = 0
    for (let at = this.#slotWordStarts[slot] as number; at < end; at++) {
      const entry = this.#slotWords[at] as number
      const word = entry >>> fieldBits
      if ((word < from || word >= until) && (others.size === 0 || !others.has(word))) continue
      const score = scoreWord(this.#matchOf(term, word), entry & fieldRange, this.#nameLengths[slot] as number)
      if (score > best) best = score
    }
    return best
  }

  /** Returns true when the typed words are the whole name of a slot: each is in it, and there are as many. */
  isWholeName({ terms, optional, typedCount }: Scorer, slot: number): boolean {
    return (
      this.#nameLengths[slot] === typedCount &&
      terms.every((term) => this.#isInName(term, slot)) &&
      optional.every((typed) => this.boostOf(typed, slot) > 0)
    )
  }

  #isInName(term: Term, slot: number): boolean {
    const end = this.#slotWordStarts[slot + 1] as number
    for (let at = this.#slotWordStarts[slot] as number; at < end; at++) {
      const entry = this.#slotWords[at] as number
      if (entry & this.#matchOf(term, entry >>> fieldBits).fields & field.name) return true
    }
    return false
  }

  /** Calls back for the slots whose name has a term and this number of words. */
  eachNamed(term: Term, nameLength: number, visit: (slot: number) => void): void {
    const { runClasses, runSlots } = this.#columns
    this.#eachRunOf(term, (_score, run) => {
      const each = runClasses[run] as number
      if (!(each & field.name) || each >>> fieldBits !== nameLength) return
      const [start, end] = this.runOf(run)
      for (let at = start; at < end; at++) visit(runSlots[at] as number)
    })
  }

  /** Returns what an optional word adds to the score of a slot whose name has it. */
  boostOf(typed: string, slot: number): number {
    const word = this.#words.find(typed)
    const end = this.#slotWordStarts[slot + 1] as number
    for (let at = this.#slotWordStarts[slot] as number; at < end; at++) {
      const entry = this.#slotWords[at] as number
      if (entry >>> fieldBits === word)
        return scoreWord(wholeName, entry & fieldRange, this.#nameLengths[slot] as number)
    }
    return 0
  }

  /** Returns the maximum of what an optional word adds to any score. */
  maxBoostOf(typed: string): number {
    const word = this.#words.find(typed)
    if (word < 0) return 0
    let max = 0
    this.#eachRun(word, wholeName, (score) => {
      if (score > max) max = score
    })
    return max
  }

  /** Calls back for each list of slots of a word that matches. */
  #eachRun(word: number, match: WordMatch, visit: (score: number, run: number) => void): void {
    const { wordRuns, runClasses } = this.#columns
    for (let run = wordRuns[word] as number; run < (wordRuns[word + 1] as number); run++) {
      const each = runClasses[run] as number
      const score = scoreWord(match, each & fieldRange, each >>> fieldBits)
      if (score > 0) visit(score, run)
    }
  }

  #eachRunOf(term: Term, visit: (score: number, run: number) => void): void {
    for (let word = term.from; word < term.until; word++) this.#eachRun(word, this.#matchOf(term, word), visit)
    for (const [word, match] of term.others) this.#eachRun(word, match, visit)
  }

  /** Returns the slots of a term by score, highest first. A slot may be in several levels: the first one counts. */
  levels(term: Term): readonly Level[] {
    const known = this.#levels.get(term)
    if (known) return known
    const byValue = new Map<number, Level>()
    this.#eachRunOf(term, (value, run) => {
      const level = byValue.get(value) ?? { value, runs: [], size: 0 }
      level.runs.push(run)
      const [start, end] = this.runOf(run)
      level.size += end - start
      byValue.set(value, level)
    })
    const levels = [...byValue.values()].sort((a, b) => b.value - a.value)
    this.#levels.set(term, levels)
    return levels
  }

  /** Returns where a list of slots begins and ends in `runSlots`. */
  runOf(run: number): [number, number] {
    const { runStarts } = this.#columns
    return [runStarts[run] as number, runStarts[run + 1] as number]
  }

  get runSlots(): Uint32Array {
    return this.#columns.runSlots as Uint32Array
  }

  /** Returns the slots of a term that are in all of these sets, each once. */
  slotsWithin(term: Term, sets: readonly Bitmap[]): number[] {
    const slots = this.runSlots
    const found = new Set<number>()
    const [first, second = first, ...others] = sets
    this.#eachRange(term, (start, end) => {
      for (let at = start; at < end; at++) {
        const slot = slots[at] as number
        if (first && !(hasBit(first, slot) && hasBit(second as Bitmap, slot))) continue
        if (others.every((set) => hasBit(set, slot))) found.add(slot)
      }
    })
    return [...found]
  }

  /** Calls back with the parts of `runSlots` that a term consists of. */
  #eachRange(term: Term, visit: (start: number, end: number) => void): void {
    const { wordRuns, runStarts } = this.#columns
    // Every field counts for words that begin with the typed one, so that their lists are one.
    visit(runStarts[wordRuns[term.from] as number] as number, runStarts[wordRuns[term.until] as number] as number)
    for (const [word, match] of term.others) this.#eachRun(word, match, (_score, run) => visit(...this.runOf(run)))
  }

  /** Returns true when the set of a term's slots is worth its memory. */
  isFrequent({ size }: Term): boolean {
    return size >= this.#nameLengths.length / 256
  }

  /** Returns the set of the slots of a term. Sets of frequent words are cached; others are valid until the next call. */
  slotsOf(term: Term): Bitmap {
    const known = this.#bitmaps.get(term)
    if (known) return known
    const bits = bitmapFor(this.#nameLengths.length)
    const slots = this.runSlots
    this.#eachRange(term, (start, end) => {
      for (let at = start; at < end; at++) {
        const slot = slots[at] as number
        bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31))
      }
    })
    if (this.isFrequent(term)) this.#bitmaps.set(term, bits)
    return bits
  }
}

// As matchWord for a word that is known to begin with the typed one.
function matchPrefix(typed: string, length: number): WordMatch {
  return length === typed.length ? exact : { quality: 0.4 + (0.4 * typed.length) / length, fields: fieldRange }
}
const exact: WordMatch = { quality: 1, fields: fieldRange }
