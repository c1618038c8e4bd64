import { createServer } from 'node:net'

/** A port of the loopback interface that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return listen(0)
}

/** Whether nobody listens on this port of the loopback interface. */
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
