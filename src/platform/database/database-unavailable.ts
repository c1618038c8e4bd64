// Error codes of pg, its pool and the sockets while PostgreSQL is stopped, starting, recovering, unreachable or full
// (53300), of a transaction that waited too long for a lock and was rolled back (55P03), and of a login whose password is
// another one at present (28P01).
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '28P01',
  '55P03',
])
// Errors of connecting to a Unix socket: it does not exist while PostgreSQL starts, or too many others connect. From
// other calls the same codes mean something else, e.g. a missing file.
const connectCodes = new Set(['ENOENT', 'EAGAIN'])
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended unexpectedly)/

/**
 * Error code of a response to a request that could not reach the database. Pages that call our own API fail with it.
 */
export const databaseUnavailable = 'databaseUnavailable'

/** Seconds after which a client may retry. */
export const RETRY_AFTER_SECONDS = 5

/** Returns whether an error means that the database cannot serve a request now, so that it may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code = '', syscall, message = '', cause } = (error ?? {}) as NodeJS.ErrnoException
  // Class 08: connection exceptions.
  if (code === databaseUnavailable || codes.has(code) || code.startsWith('08')) return true
  if (syscall === 'connect' && connectCodes.has(code)) return true
  return messages.test(message) || (cause !== undefined && cause !== error && isDatabaseUnavailable(cause))
}
