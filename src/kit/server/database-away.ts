// What pg, its pool and the sockets beneath report while PostgreSQL is stopped, starting, recovering or out of reach.
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

/** The code of the answer to a request that could not reach the database. Pages that ask our own API fail with it. */
export const databaseUnavailable = 'databaseUnavailable'

/** Seconds after which a client may try again. */
export const RETRY_AFTER_SECONDS = 5

/** Whether an error says that the database cannot be reached now, so that the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown }
  // Class 08 is connection exceptions; 57P03 is a server that does not take connections yet; 53300 too many of them.
  if (code === databaseUnavailable || codes.has(code) || code.startsWith('08') || code === '57P03' || code === '53300')
    return true
  return messages.test(message) || (cause !== undefined && cause !== error && isDatabaseAway(cause))
}
