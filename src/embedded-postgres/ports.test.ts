import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, isFree, takesSockets } from './ports.ts'

test('a port is free until something listens there', async () => {
  const port = await freePort()
  expect(await isFree(port)).toBe(true)
  const other = createServer()
  await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
  expect(await isFree(port)).toBe(false)
  await new Promise((done) => other.close(done))
})

test.skipIf(process.platform === 'win32')(
  'a folder takes sockets unless their path would be longer than 103 bytes',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'ports-'))
    const folderFor = (bytes: number) => {
      const folder = join(root, 'x'.repeat(bytes - Buffer.byteLength(join(root, '.s.PGSQL.65535')) - 1))
      mkdirSync(folder)
      return folder
    }
    expect([await takesSockets(folderFor(103)), await takesSockets(folderFor(104))]).toEqual([true, false])
    rmSync(root, { recursive: true })
    expect(await takesSockets(root)).toBe(false)
  },
)
