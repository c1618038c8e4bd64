import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainPath } from './plain-path.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plain-path-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a folder with a plain path is used by it', () => {
  for (const path of ['/home/ann/my-programs_2/v1.0', 'C:\\Users\\ann\\dineback', '/srv/a+b,c=d~1@x'])
    expect(plainPath(path)).toBe(path)
})

test('a folder whose path differs from its URL is used through a link', () => {
  for (const name of ['#1', '100 %', '50%25', 'what?', 'a*b', 'Küche', 'my programs', '[a]']) {
    const odd = join(folder, name)
    mkdirSync(odd)
    const link = plainPath(odd)
    expect([name, realpathSync(link)]).toEqual([name, odd])
    expect(pathToFileURL(link).pathname).toBe(link)
    expect(plainPath(odd)).toBe(link)
    rmSync(link)
  }
})

test('a link that points elsewhere is replaced', () => {
  const odd = join(folder, '#')
  mkdirSync(odd)
  const link = plainPath(odd)
  rmSync(link)
  symlinkSync(folder, link)
  expect(realpathSync(plainPath(odd))).toBe(odd)
  rmSync(link)
})
