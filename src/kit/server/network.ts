import { normalizeIP } from '@fastify/rate-limit'

/** Whom a limit counts, and how many times the limit is allowed. */
export interface Network {
  network: string
  times: number
}

/** A /48 is given to an office or a house with many members: it may do ten times what one /64 may. */
const looserTimes = 10

/**
 * The networks that count an address, the narrowest first. IPv4 counts by itself, and so does IPv4 written as IPv6
 * (`::ffff:192.0.2.1`). An IPv6 connection has a whole /64 to choose addresses from, so it counts as that, and as its
 * /48 under a looser limit.
 */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  const narrow = normalizeIP(address, 64)
  if (!narrow.includes(':')) return [{ network: narrow, times: 1 }]
  return [
    { network: `${narrow}/64`, times: 1 },
    { network: `${normalizeIP(address, 48)}/48`, times: looserTimes },
  ]
}
