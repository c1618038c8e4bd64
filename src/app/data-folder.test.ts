import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkDataFolder, DataFolderError, watchDisk } from './data-folder.ts'
import { configurationMessage } from './startup.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const megabytes = (count: number) => () => count * 1_000_000
const messageOf = (work: () => void): string | null => {
  try {
    work()
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(DataFolderError)
    return configurationMessage(error)
  }
}

test('a folder of local data is made, and nothing of the check stays in it', () => {
  const data = join(folder, 'a/b')
  expect(messageOf(() => checkDataFolder(data, { embedded: true }, megabytes(250)))).toBeNull()
  expect(readdirSync(data)).toEqual([])
})

test('too little space for a new database or for an existing one is one sentence with both numbers', () => {
  const check = (free: number, embedded = true) =>
    messageOf(() => checkDataFolder(folder, { embedded }, megabytes(free)))
  expect(check(249)).toBe(
    `Cannot start: the disk of DATA_DIR (${folder}) has 249 MB free; PostgreSQL needs 250. Free some space, or name a folder on another disk in DATA_DIR.`,
  )
  mkdirSync(join(folder, 'postgres'))
  expect(check(48)).toBeNull()
  expect(check(47)).toContain('47 MB free; PostgreSQL needs 48.')
  // A database elsewhere.
  expect(check(0, false)).toBeNull()
})

test('a file in place of the folder is named', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'data')])
    expect(messageOf(() => checkDataFolder(path, { embedded: false }))).toBe(
      `Cannot start: DATA_DIR (${path}) is not a folder. Name another one.`,
    )
})

test('a folder of another user is named without a stack trace', () => {
  chmodSync(folder, 0o555)
  // Root may write everywhere: the start is that of a user who may not.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const source = `
    const { checkDataFolder } = await import(${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)})
    try { checkDataFolder(process.argv[1], { embedded: true }) } catch (error) { console.log(error.message) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source, folder], {
    encoding: 'utf8',
    ...user,
  })
  expect(stdout).toBe(
    `Cannot start: DATA_DIR (${folder}) cannot be written (EACCES). Work as the user who owns it, or name another folder.\n`,
  )
})

test('a disk that is nearly full is reported at once, then every minute, and when it has space again', () => {
  vi.useFakeTimers()
  let free = 100
  const lines: string[] = []
  const stop = watchDisk(
    folder,
    (line) => lines.push(line),
    () => free * 1_000_000,
  )
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([])
  free = 3
  vi.advanceTimersByTime(5_000)
  const low = `disk: ${folder} has only 3 MB free; writing fails until there is more`
  expect(lines).toEqual([low])
  vi.advanceTimersByTime(55_000)
  expect(lines).toEqual([low])
  vi.advanceTimersByTime(5_000)
  expect(lines).toEqual([low, low])
  free = 48
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([low, low, `disk: ${folder} has space again`])
  stop()
  free = 0
  vi.advanceTimersByTime(120_000)
  expect(lines).toHaveLength(3)
})
