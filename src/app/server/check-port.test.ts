import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkPort, PortTakenError } from './check-port.ts'

test('a taken port stops the start; a free one is free afterwards, and any other problem is left to the server', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as { port: number }
  await expect(checkPort({ PORT: port, HOST: '127.0.0.1' })).rejects.toThrow(new PortTakenError(port))
  await new Promise((done) => other.close(done))
  for (const _ of [1, 2]) await checkPort({ PORT: port, HOST: '127.0.0.1' })
  // An address of no interface of this machine.
  await checkPort({ PORT: port, HOST: '192.0.2.1' })
})
