import type { IncomingMessage, Server } from 'node:http'
import type { Logger } from 'pino'

/**
 * Warns once when a request comes through a proxy and none is trusted: all visitors then share the proxy's address, and
 * the rate limit of one affects all.
 */
export function warnUntrustedProxy(server: Server, logger: Logger): void {
  function checkRequest({ headers, socket }: IncomingMessage): void {
    if (headers['x-forwarded-for'] === undefined) return
    server.off('request', checkRequest)
    logger.warn(
      { proxy: socket.remoteAddress },
      'X-Forwarded-For arrives, but TRUSTED_PROXY is not set: all visitors count as one address. Set TRUSTED_PROXY to the address of your proxy.',
    )
  }
  server.prependListener('request', checkRequest)
}
