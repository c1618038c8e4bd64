import { createHash } from 'node:crypto'

/** What the hash of an entry covers: everything that the entry says. */
export interface HashedAct {
  at: string
  operatorId: number
  operatorName: string
  action: string
  partnerId: string | null
  objectType: string
  objectId: string
  objectLabel: string
  memberId: number | null
  reason: string
  before: unknown
  after: unknown
  status: number
  address: string
  requestId: string
}

/** The hash before the first entry. */
export const firstHash: Buffer = Buffer.alloc(32)

/** Returns the hash of an entry, chained to the hash of the one before it. */
export function hashAct(previous: Buffer, act: HashedAct): Buffer {
  const { at, operatorId, operatorName, action, partnerId, objectType, objectId, objectLabel, memberId } = act
  const { reason, before, after, status, address, requestId } = act
  const who = [at, operatorId, operatorName, action, partnerId, objectType, objectId, objectLabel, memberId]
  const what = [reason, sorted(before), sorted(after), status, address, requestId]
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([...who, ...what]))
    .digest()
}

/** Returns a value with the keys of its objects in order: the database stores them in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
