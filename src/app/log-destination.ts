import pino, { type DestinationStream } from 'pino'

const bytesInMemory = 4_000_000

/**
 * Returns the destination of log lines for an open file. When it cannot be written, as on a full disk, the app goes on:
 * lines wait in memory, and the newest are dropped when that is full, too.
 */
export function createLogDestination(file: number): DestinationStream {
  const destination = pino.destination({ dest: file, maxLength: bytesInMemory })
  let isFailing = false
  destination.on('error', () => {
    isFailing = true
  })
  destination.on('write', () => {
    isFailing = false
  })
  // At exit it would be repeated for ever.
  const flush = destination.flushSync.bind(destination)
  destination.flushSync = () => {
    if (!isFailing) flush()
  }
  return destination
}
