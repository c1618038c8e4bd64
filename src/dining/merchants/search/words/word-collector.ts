import { field, fieldBits } from '../relevance.ts'
import { type Columns, GrowingColumn, startsOf } from '../segment/columns.ts'
import { wordsOf } from '../text.ts'
import { packTexts } from './text-list.ts'
import { buildTypoIndex } from './typo-index.ts'

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

const maxNameLength = 255
const fieldRange = (1 << fieldBits) - 1
const classes = (maxNameLength + 1) << fieldBits

/** Collects the words of merchants, slot by slot, and builds the columns of a word index. */
export class WordCollector {
  readonly #ids = new Map<string, number>()
  /** `word << fieldBits | fields`, slot by slot. */
  readonly #entries = new GrowingColumn(new Uint32Array(1024))
  readonly #starts = new GrowingColumn(new Uint32Array(1024))
  readonly #nameLengths = new GrowingColumn(new Uint8Array(1024))

  add(texts: Texts): void {
    const fields = new Map<string, number>()
    const put = (bit: number, text: string) => {
      const words = wordsOf(text)
      for (const word of words) fields.set(word, (fields.get(word) ?? 0) | bit)
      return words.length
    }
    this.#nameLengths.push(Math.min(maxNameLength, Math.max(1, put(field.name, texts.name))))
    for (const cuisine of texts.cuisines) put(field.cuisine, cuisine)
    put(field.neighborhood, texts.neighborhood)
    put(field.city, `${texts.city} ${texts.zipCode}`)
    put(field.address, `${texts.address1} ${texts.state}`)
    this.#starts.push(this.#entries.length)
    for (const [word, bits] of fields) this.#entries.push(((this.#idOf(word) << fieldBits) | bits) >>> 0)
  }

  #idOf(word: string): number {
    let id = this.#ids.get(word)
    if (id === undefined) {
      id = this.#ids.size
      this.#ids.set(word, id)
    }
    return id
  }

  /** `byRank` are the slots in the order in which each list of slots is sorted. */
  finish(byRank: Uint32Array): Columns {
    const words = [...this.#ids.keys()].sort()
    const sorted = new Uint32Array(words.length)
    words.forEach((word, index) => {
      sorted[this.#ids.get(word) as number] = index
    })
    const slotWords = this.#entries.finish()
    for (let at = 0; at < slotWords.length; at++) {
      const entry = slotWords[at] as number
      slotWords[at] = (((sorted[entry >>> fieldBits] as number) << fieldBits) | (entry & fieldRange)) >>> 0
    }
    this.#starts.push(slotWords.length)
    const slotWordStarts = this.#starts.finish()
    const nameLengths = this.#nameLengths.finish()
    const { bytes: wordBytes, starts: wordStarts } = packTexts(words)
    return {
      wordBytes,
      wordStarts,
      slotWords,
      slotWordStarts,
      nameLengths,
      ...buildRuns(words.length, { slotWords, slotWordStarts, nameLengths, byRank }),
      ...buildTypoIndex(words),
    }
  }
}

interface Documents {
  slotWords: Uint32Array
  slotWordStarts: Uint32Array
  nameLengths: Uint8Array
  byRank: Uint32Array
}

/**
 * Groups the slots of each word by class: the fields in which the word is, and the length of the name. All slots of such
 * a run have the same score for the word, and are sorted by rank.
 */
function buildRuns(words: number, { slotWords, slotWordStarts, nameLengths, byRank }: Documents): Columns {
  const counts = new Uint32Array(words)
  for (const entry of slotWords) counts[entry >>> fieldBits] = (counts[entry >>> fieldBits] as number) + 1
  const starts = startsOf(counts)
  const next = starts.slice()
  const slots = new Uint32Array(slotWords.length)
  const classOf = new Uint16Array(slotWords.length)
  for (const slot of byRank) {
    const length = nameLengths[slot] as number
    for (let at = slotWordStarts[slot] as number; at < (slotWordStarts[slot + 1] as number); at++) {
      const entry = slotWords[at] as number
      const place = next[entry >>> fieldBits] as number
      next[entry >>> fieldBits] = place + 1
      slots[place] = slot
      classOf[place] = (length << fieldBits) | (entry & fieldRange)
    }
  }
  const runs = { starts: new GrowingColumn(new Uint32Array(1024)), classes: new GrowingColumn(new Uint16Array(1024)) }
  const wordRuns = new Uint32Array(words + 1)
  const runSlots = new Uint32Array(slots.length)
  const counters = new Uint32Array(classes)
  for (let word = 0; word < words; word++) {
    wordRuns[word] = runs.starts.length
    const [from, until] = [starts[word] as number, starts[word + 1] as number]
    const present: number[] = []
    for (let at = from; at < until; at++) {
      const each = classOf[at] as number
      if (counters[each] === 0) present.push(each)
      counters[each] = (counters[each] as number) + 1
    }
    let place = from
    for (const each of present) {
      runs.starts.push(place)
      runs.classes.push(each)
      const size = counters[each] as number
      counters[each] = place
      place += size
    }
    for (let at = from; at < until; at++) {
      const each = classOf[at] as number
      runSlots[counters[each] as number] = slots[at] as number
      counters[each] = (counters[each] as number) + 1
    }
    for (const each of present) counters[each] = 0
  }
  wordRuns[words] = runs.starts.length
  runs.starts.push(slots.length)
  return { wordRuns, runStarts: runs.starts.finish(), runClasses: runs.classes.finish(), runSlots }
}
