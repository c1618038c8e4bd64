import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildOnce } from './build-once.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'build-once-')), 'dist')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

test('of builds that start at once one runs, and the others wait until it is complete', async () => {
  const file = join(folder, 'asset.js')
  let runs = 0
  const build = async () => {
    runs++
    rmSync(file, { force: true })
    await new Promise(setImmediate)
    writeFileSync(file, 'built')
  }
  const start = async () => {
    const hasBuilt = await buildOnce(folder, 'a', build)
    return [hasBuilt, readFileSync(file, 'utf8')]
  }
  const results = await Promise.all([start(), start(), start()])
  expect(results.toSorted()).toEqual([
    [false, 'built'],
    [false, 'built'],
    [true, 'built'],
  ])
  expect([runs, await buildOnce(folder, 'a', build), await buildOnce(folder, 'b', build), runs]).toEqual([
    1,
    false,
    true,
    2,
  ])
})

test('a build that failed is repeated', async () => {
  const failing = buildOnce(folder, 'a', () => Promise.reject(new Error('a wrong source')))
  await expect(failing).rejects.toThrow('a wrong source')
  expect(await buildOnce(folder, 'a', async () => {})).toBe(true)
})
