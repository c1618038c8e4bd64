import { rmSync } from 'node:fs'
import { createServer, type ListenOptions } from 'node:net'
import { join } from 'node:path'

const host = '127.0.0.1'
/** Operating systems limit the path of a socket to about a hundred bytes. */
const MAX_SOCKET_PATH = 103

/** Returns a free port of the loopback interface. */
export function freePort(): Promise<number> {
  return listen({ port: 0, host })
}

/** Returns whether this port of the loopback interface is free. */
export function isFree(port: number): Promise<boolean> {
  return canListen({ port, host })
}

/** Returns whether PostgreSQL can create a Unix socket in a folder. Some file systems have none, and Node on Windows. */
export async function takesSockets(folder: string): Promise<boolean> {
  if (process.platform === 'win32' || Buffer.byteLength(join(folder, '.s.PGSQL.65535')) > MAX_SOCKET_PATH) return false
  const path = join(folder, '.s.probe')
  // A killed process may have left it.
  rmSync(path, { force: true })
  return canListen({ path })
}

const canListen = (where: ListenOptions) =>
  listen(where).then(
    () => true,
    () => false,
  )

function listen(where: ListenOptions): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(where, () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
