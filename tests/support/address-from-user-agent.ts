import { Server } from 'node:http'

// Preloaded into the app of the journeys (`node --import`). All browsers connect from 127.0.0.1, but limits are per
// address, and one journey must not use up another's. A custom header would cause a preflight before every cross-origin
// request, so the user agent contains the address, and this module sets the header that a trusted proxy would send.

const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]) {
  if (event === 'request') {
    const { headers } = args[0] as { headers: Record<string, string> }
    const address = / journey\/(\S+)$/.exec(headers['user-agent'] ?? '')?.[1]
    if (address) headers['x-forwarded-for'] = address
  }
  return Reflect.apply(emit, this, [event, ...args])
}
