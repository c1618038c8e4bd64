import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

/** A counted network and its multiple of the limit. */
export interface Network {
  network: string
  times: number
}

/** A /48 is assigned to an organization or household with many members: its limit is ten times that of a /64. */
const looserTimes = 10

/**
 * Returns the networks that an address is counted under, narrowest first. IPv4 counts by itself, also as IPv4-mapped
 * IPv6 (`::ffff:192.0.2.1`). An IPv6 connection can use any address of its /64, so it counts as the /64, and as its /48
 * with a looser limit.
 */
export const networksOf = (address: string): Networks => known.memo(address)

type Networks = readonly [Network, ...Network[]]

// Every request needs them, and reading an IPv6 address takes a tenth of a millisecond.
const known = new LRUCache<string, Networks>({ max: 10_000, memoMethod: readNetworks })

function readNetworks(address: string): Networks {
  const narrow = normalizeIP(address, 64)
  if (!narrow.includes(':')) return [{ network: narrow, times: 1 }]
  return [
    { network: `${narrow}/64`, times: 1 },
    { network: `${normalizeIP(address, 48)}/48`, times: looserTimes },
  ]
}
