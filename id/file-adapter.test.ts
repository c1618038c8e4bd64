import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileAdapter, maxEntries } from './file-adapter.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'id-state-'))
  file = join(folder, 'state', 'state.json')
  vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const open = (name = 'Session') => new (fileAdapter(file))(name)

test('an entry is found until it expires, by its id, its uid and its user code, and only under its own name', async () => {
  const Adapter = fileAdapter(file)
  const [sessions, grants] = [new Adapter('Session'), new Adapter('Grant')]
  await sessions.upsert('a', { uid: 'u', userCode: 'c', jti: 'one' }, 60)
  await grants.upsert('a', { uid: 'u', userCode: 'c', jti: 'two' }, 600)
  await sessions.upsert('b', { uid: 'v', userCode: 'd', jti: 'three' }, 600)
  const found = async (adapter: typeof sessions) =>
    [await adapter.find('a'), await adapter.findByUid('u'), await adapter.findByUserCode('c')].map((each) => each?.jti)
  expect([await found(sessions), await found(grants)]).toEqual([Array(3).fill('one'), Array(3).fill('two')])
  vi.advanceTimersByTime(59_999)
  expect(await found(sessions)).toEqual(Array(3).fill('one'))
  vi.advanceTimersByTime(1)
  expect([await found(sessions), await found(grants)]).toEqual([Array(3).fill(undefined), Array(3).fill('two')])
  expect((await sessions.find('b'))?.jti).toBe('three')
  // Without a lifetime it does not expire.
  await sessions.upsert('c', { jti: 'four' }, 0)
  vi.advanceTimersByTime(1e10)
  expect((await sessions.find('c'))?.jti).toBe('four')
})

test('Case 99 of each kind the newest two thousand entries stay, and what has expired makes room', async () => {
  expect(maxEntries).toBe(2000)
  const Adapter = fileAdapter(file)
  const [interactions, sessions] = [new Adapter('Interaction'), new Adapter('Session')]
  await sessions.upsert('own', { jti: 'own' }, 60)
  await interactions.upsert('brief', { jti: 'brief' }, 1)
  for (let index = 0; index < 1999; index++) await interactions.upsert(`${index}`, { jti: `${index}` }, 60)
  vi.advanceTimersByTime(1000)
  // Saved again, so that the next one is the oldest.
  await interactions.upsert('0', { jti: '0' }, 60)
  await interactions.upsert('1999', { jti: '1999' }, 60)
  const found = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await interactions.find(id))?.jti))
  expect(await found('brief', '0', '1', '1999')).toEqual([undefined, '0', '1', '1999'])
  await interactions.upsert('2000', { jti: '2000' }, 60)
  expect(await found('0', '1', '2', '2000')).toEqual(['0', undefined, '2', '2000'])
  // Other kinds are not affected.
  expect((await sessions.find('own'))?.jti).toBe('own')
})

test('an entry can be consumed, destroyed, or revoked with its grant, and the others stay', async () => {
  const adapter = open('AuthorizationCode')
  for (const id of ['a', 'b', 'c', 'd'])
    await adapter.upsert(id, { jti: id, grantId: id < 'c' ? 'first' : 'second' }, 60)
  await adapter.consume('d')
  await adapter.consume('unknown')
  expect((await adapter.find('d'))?.consumed).toBe(Date.now() / 1000)
  expect((await adapter.find('c'))?.consumed).toBeUndefined()
  await adapter.destroy('c')
  await adapter.revokeByGrantId('first')
  expect(await Promise.all(['a', 'b', 'c'].map((id) => adapter.find(id)))).toEqual([undefined, undefined, undefined])
  expect((await adapter.find('d'))?.jti).toBe('d')
})

test('the state is in a file that only its owner reads, without what has expired, and is read at the next start', async () => {
  const adapter = open()
  await adapter.upsert('short', { jti: 'short' }, 1)
  await adapter.upsert('long', { jti: 'long' }, 60)
  expect(existsSync(file)).toBe(false)
  vi.advanceTimersByTime(50)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await open().find('short'))?.jti).toBe('short')
  vi.advanceTimersByTime(1000)
  await adapter.consume('long')
  vi.advanceTimersByTime(50)
  const entries = () => JSON.parse(readFileSync(file, 'utf8')).map(([key]: [string]) => key)
  expect(entries()).toEqual(['Session:long'])
  expect((await open().find('long'))?.consumed).toBeDefined()
  await adapter.upsert('other', { jti: 'other', grantId: 'g' }, 60)
  vi.advanceTimersByTime(50)
  await adapter.revokeByGrantId('g')
  vi.advanceTimersByTime(50)
  expect(entries()).toEqual(['Session:long'])
  await adapter.destroy('long')
  vi.advanceTimersByTime(50)
  expect(entries()).toEqual([])
  writeFileSync(file, 'not JSON')
  expect(await open().find('long')).toBeUndefined()
})
