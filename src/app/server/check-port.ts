import { createServer } from 'node:net'
import type { Settings } from '../../platform/config/settings.ts'

/** Another process uses the port; the message is one readable line. */
export class PortTakenError extends Error {
  constructor(port: number) {
    super(`Port ${port} is taken. Set PORT to another one.`)
  }
}

/**
 * Throws PortTakenError when the port is taken, so that a start ends before it has built pages or opened a database.
 * Any other problem of the address is reported by the server that listens later.
 */
export function checkPort({ PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'EADDRINUSE' ? reject(new PortTakenError(PORT)) : resolve(),
    )
    probe.listen(PORT, HOST, () => probe.close(() => resolve()))
  })
}
