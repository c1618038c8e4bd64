import { createServer } from 'node:net'

/** Returns a free port of the loopback interface. */
export function freePort(): Promise<number> {
  return listen(0)
}

/** Returns whether this port of the loopback interface is free. */
export function isFree(port: number): Promise<boolean> {
  return listen(port).then(
    () => true,
    () => false,
  )
}

function listen(wanted: number): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
