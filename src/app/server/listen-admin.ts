import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../platform/config/settings.ts'

/** The port of probes and metrics cannot be used; the message is one readable line. */
export class AdminPortError extends Error {}

const defaultPort = 9464

/**
 * Listens on the admin port. Throws AdminPortError when the port is taken; outside production, a conflict on the
 * default port (another installation on this machine) is only logged.
 */
export async function listenAdmin(
  app: FastifyInstance,
  { ADMIN_PORT, ADMIN_HOST, NODE_ENV }: Pick<Settings, 'ADMIN_PORT' | 'ADMIN_HOST' | 'NODE_ENV'>,
  log: (line: string) => void,
): Promise<void> {
  if (ADMIN_PORT === 0) return
  const port = ADMIN_PORT ?? defaultPort
  try {
    await app.listen({ port, host: ADMIN_HOST })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? `Port ${port} is taken` : `${ADMIN_HOST}:${port} cannot be used (${message})`
    const advice = 'Set ADMIN_PORT to another port, or to off.'
    if (code !== 'EADDRINUSE' || ADMIN_PORT !== undefined || NODE_ENV === 'production') {
      throw new AdminPortError(`Cannot start: ${reason}; probes and metrics need it. ${advice}`)
    }
    log(`admin: ${reason}; probes and metrics are off. ${advice}`)
  }
}
