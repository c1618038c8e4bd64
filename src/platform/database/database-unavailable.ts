// Error codes of pg, its pool and the sockets while PostgreSQL is stopped, starting, recovering or unreachable.
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
])
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended unexpectedly)/

/**
 * Error code of a response to a request that could not reach the database. Pages that call our own API fail with it.
 */
export const databaseUnavailable = 'databaseUnavailable'

/** Seconds after which a client may retry. */
export const RETRY_AFTER_SECONDS = 5

/** Returns whether an error means that the database is unreachable now, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code = '', message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown }
  // Class 08: connection exceptions; 57P03: the server does not accept connections yet; 53300: too many connections.
  if (code === databaseUnavailable || codes.has(code) || code.startsWith('08') || code === '57P03' || code === '53300')
    return true
  return messages.test(message) || (cause !== undefined && cause !== error && isDatabaseUnavailable(cause))
}
