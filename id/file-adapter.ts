import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Adapter, AdapterPayload } from 'oidc-provider'

interface StoredEntry {
  payload: AdapterPayload
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Entries of one kind, such as sign-ins that anybody can begin; a further one removes the oldest. */
export const maxEntries = 2_000

/**
 * Stores the provider's state in one file, so that a restart signs no user out. Sufficient for a few sample customers.
 * The whole file is written next to its target and then renamed.
 */
export function fileAdapter(file: string): new (name: string) => Adapter {
  const entries = new Map<string, StoredEntry>(read(file))
  let waiting = false
  const save = () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      const live = [...entries].filter(([, entry]) => entry.expiresAt > Date.now())
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify(live), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    }, 50)
  }
  const live = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
  }
  /** Removes what has expired and, of this kind, the oldest entry when there is no room for another. */
  const makeRoom = (prefix: string) => {
    let count = 0
    let oldest: string | undefined
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt <= Date.now()) entries.delete(key)
      else if (key.startsWith(prefix)) {
        count++
        oldest ??= key
      }
    }
    if (count >= maxEntries && oldest !== undefined) entries.delete(oldest)
  }
  const find = (test: (payload: AdapterPayload) => boolean, prefix: string) =>
    [...entries].find(
      ([key, entry]) => key.startsWith(prefix) && entry.expiresAt > Date.now() && test(entry.payload),
    )?.[1].payload

  return class FileAdapter implements Adapter {
    readonly #prefix: string
    constructor(name: string) {
      this.#prefix = `${name}:`
    }
    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      makeRoom(this.#prefix)
      // Set anew, so that it is the newest one.
      entries.delete(this.#prefix + id)
      entries.set(this.#prefix + id, {
        payload,
        expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : Number.MAX_SAFE_INTEGER,
      })
      save()
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return live(this.#prefix + id)
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return find((payload) => payload.uid === uid, this.#prefix)
    }
    async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
      return find((payload) => payload.userCode === userCode, this.#prefix)
    }
    async consume(id: string): Promise<void> {
      const entry = entries.get(this.#prefix + id)
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
      save()
    }
    async destroy(id: string): Promise<void> {
      entries.delete(this.#prefix + id)
      save()
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, entry] of entries) if (entry.payload.grantId === grantId) entries.delete(key)
      save()
    }
  }
}

function read(file: string): [string, StoredEntry][] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}
