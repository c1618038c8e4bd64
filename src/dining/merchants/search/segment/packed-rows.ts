import type { Point } from '../../../../programs/places/contract.ts'
import type { MerchantRow } from '../../catalog/store.ts'
import { type Columns, GrowingColumn } from './columns.ts'

/**
 * Merchant rows as bytes: an object takes about two kilobytes, its bytes about a hundred. Texts and lists that many
 * merchants share are stored once.
 */
export interface PackedRows {
  bytes: Uint8Array
  /** Where each row begins. */
  starts: Uint32Array
  /** The shared texts and, as JSON, the shared lists. */
  shared: string[]
}

const encoder = new TextEncoder()
const floats = new Float64Array(2)
const floatBytes = new Uint8Array(floats.buffer)

/** Packs rows one after the other. */
export class RowPacker {
  readonly #bytes = new GrowingColumn(new Uint8Array(64 * 1024))
  readonly #starts = new GrowingColumn(new Uint32Array(1024))
  readonly #shared = new Map<string, number>()

  get count(): number {
    return this.#starts.length
  }

  add(row: MerchantRow): void {
    this.#starts.push(this.#bytes.length)
    floats[0] = row.latitude
    floats[1] = row.longitude
    this.#append(floatBytes)
    this.#text(row.publicId)
    this.#text(row.name)
    this.#text(row.address1)
    this.#text(row.phone)
    for (const number of [row.id, row.version, row.ratingSum, row.ratingCount]) this.#number(number)
    this.#number(row.priceRange + 8 * row.acclaimedLevel)
    for (const value of [row.city, row.state, row.zipCode, row.neighborhood, row.timeZone, row.joinedOn, row.updatedOn])
      this.#sharedText(value)
    for (const value of [row.highlight, row.reservationProvider]) this.#sharedText(value ?? '')
    for (const list of [row.cuisines, row.features, row.meals, row.campaignCodes, row.offers])
      this.#sharedText(JSON.stringify(list))
  }

  finish(): PackedRows {
    return { bytes: this.#bytes.finish(), starts: this.#starts.finish(), shared: [...this.#shared.keys()] }
  }

  #append(bytes: Uint8Array): void {
    this.#bytes.reserve(bytes.length)
    this.#bytes.values.set(bytes, this.#bytes.length)
    this.#bytes.length += bytes.length
  }

  #number(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.#bytes.push(128 + (rest % 128))
      rest = Math.floor(rest / 128)
    }
    this.#bytes.push(rest)
  }

  #text(text: string): void {
    const bytes = encoder.encode(text)
    this.#number(bytes.length)
    this.#append(bytes)
  }

  #sharedText(text: string): void {
    let index = this.#shared.get(text)
    if (index === undefined) {
      index = this.#shared.size
      this.#shared.set(text, index)
    }
    this.#number(index)
  }
}

/** Reads packed rows. Shared lists are the same objects in all rows: they must not be changed. */
export class RowReader {
  readonly #bytes: Buffer
  readonly #starts: Uint32Array
  readonly #shared: readonly string[]
  readonly #lists = new Map<number, unknown>()
  #at = 0

  constructor({ bytes, starts, shared }: PackedRows) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#starts = starts
    this.#shared = shared
  }

  get count(): number {
    return this.#starts.length
  }

  pointAt(index: number): Point {
    const start = this.#starts[index] as number
    floatBytes.set(this.#bytes.subarray(start, start + floatBytes.length))
    return { latitude: floats[0] as number, longitude: floats[1] as number }
  }

  publicIdAt(index: number): string {
    this.#at = (this.#starts[index] as number) + floatBytes.length
    return this.#text()
  }

  nameAt(index: number): string {
    this.publicIdAt(index)
    return this.#text()
  }

  at(index: number): MerchantRow {
    const publicId = this.publicIdAt(index)
    const [name, address1, phone] = [this.#text(), this.#text(), this.#text()]
    const [id, version, ratingSum, ratingCount] = [this.#number(), this.#number(), this.#number(), this.#number()]
    const levels = this.#number()
    const [city, state, zipCode] = [this.#sharedText(), this.#sharedText(), this.#sharedText()]
    const [neighborhood, timeZone] = [this.#sharedText(), this.#sharedText()]
    const [joinedOn, updatedOn] = [this.#sharedText(), this.#sharedText()]
    const [highlight, reservationProvider] = [this.#sharedText() || null, this.#sharedText() || null]
    const [cuisines, features] = [this.#list<string>(), this.#list<string>()]
    const [meals, campaignCodes] = [this.#list<string>(), this.#list<string>()]
    const offers = this.#list<MerchantRow['offers'][number]>()
    const { latitude, longitude } = this.pointAt(index)
    return {
      id,
      publicId,
      name,
      cuisines,
      features,
      meals,
      priceRange: levels & 7,
      ratingSum,
      ratingCount,
      highlight,
      acclaimedLevel: levels >> 3,
      campaignCodes,
      address1,
      city,
      state,
      zipCode,
      neighborhood,
      latitude,
      longitude,
      timeZone,
      phone,
      reservationProvider,
      participating: true,
      joinedOn,
      version,
      updatedOn,
      offers,
    }
  }

  #number(): number {
    let [value, unit] = [0, 1]
    for (;;) {
      const byte = this.#bytes[this.#at++] as number
      if (byte < 128) return value + byte * unit
      value += (byte - 128) * unit
      unit *= 128
    }
  }

  #text(): string {
    const length = this.#number()
    const start = this.#at
    this.#at = start + length
    return this.#bytes.toString('utf8', start, this.#at)
  }

  #sharedText(): string {
    return this.#shared[this.#number()] as string
  }

  #list<T>(): T[] {
    const index = this.#number()
    let list = this.#lists.get(index)
    if (list === undefined) {
      list = JSON.parse(this.#shared[index] as string)
      this.#lists.set(index, list)
    }
    return list as T[]
  }
}

/** Converts packed rows to columns of a segment. */
export function toColumns({ bytes, starts, shared }: PackedRows): Columns {
  return { rowBytes: bytes, rowStarts: starts, rowShared: encoder.encode(JSON.stringify(shared)) }
}

export function toPackedRows(columns: Columns): PackedRows {
  const { rowBytes, rowStarts, rowShared } = columns
  return {
    bytes: rowBytes as Uint8Array,
    starts: rowStarts as Uint32Array,
    shared: JSON.parse(new TextDecoder().decode(rowShared as Uint8Array)),
  }
}
