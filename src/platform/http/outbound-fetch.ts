import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { SECOND } from '../time.ts'

// Browsers resolve *.localhost themselves; Node queries a name server that does not know these hosts.
const lookup: LookupFunction = (hostname, options, callback) =>
  lookUp(hostname.endsWith('.localhost') ? '127.0.0.1' : hostname, options, callback)

const options: Agent.Options = {
  connect: { lookup, timeout: 4 * SECOND },
  headersTimeout: 8 * SECOND,
  bodyTimeout: 8 * SECOND,
  keepAliveTimeout: 2 * SECOND,
}

let agent: Agent | undefined

/** `fetch` for calls to other servers: with timeouts, and with resolution of *.localhost. */
export const outboundFetch = (async (input: string | URL, init?: RequestInit) => {
  // Loaded with the first call, so that no start waits for it.
  const undici = await import('undici')
  agent ??= new undici.Agent(options)
  return undici.fetch(input, { ...(init as object), dispatcher: agent })
}) as unknown as typeof fetch
