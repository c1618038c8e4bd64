import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Contains everything that a reset of these tests could remove. */
let folder: string
const others: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'reset-'))
})
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const create = (...names: string[]) => {
  const path = join(folder, ...names)
  mkdirSync(path, { recursive: true })
  return path
}

/** Runs the command in a folder, with a home and a data folder; returns its exit code and its output. */
function reset({
  cwd = create('project'),
  home = create('home'),
  data,
}: {
  cwd?: string
  home?: string
  data: string
}) {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: data, HOME: home }
  const child = spawn(process.execPath, [resolve('scripts/reset.ts')], { env, cwd })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return new Promise<{ code: number | null; text: string }>((done) => child.on('close', (code) => done({ code, text })))
}

/** Records a process as the one that serves from a data folder. */
function serveFrom(data: string, args: string[]): number {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ...args], { stdio: 'ignore' })
  others.push(other)
  writeFileSync(join(data, 'app.pid'), `${other.pid}\n\n`)
  return other.pid ?? 0
}

test('a folder that holds more than local data is not removed', async () => {
  const data = create('data')
  const results = await Promise.all([
    reset({ data, cwd: data }),
    reset({ data, cwd: create('data', 'project') }),
    reset({ data, home: create('data', 'home') }),
  ])
  for (const { code, text } of results)
    expect([code, text]).toEqual([1, `DATA_DIR is ${data}: that holds more than local data.\n`])
  expect(existsSync(data)).toBe(true)
  // The name of another folder may begin like it.
  const { code } = await reset({ data, cwd: create('data-of-a-project') })
  expect([code, existsSync(data), existsSync(join(folder, 'data-of-a-project'))]).toEqual([0, false, true])
})

test('local data is removed unless the app runs, and a reset without any says so', async () => {
  const [data, used] = [create('data'), create('used')]
  // After a crash another program may have the id of the app.
  serveFrom(data, ['unrelated'])
  const pid = serveFrom(used, ['src/main.ts'])
  const [free, running, none] = await Promise.all([
    reset({ data }),
    reset({ data: used }),
    reset({ data: join(folder, 'missing') }),
  ])
  expect([free.code, existsSync(data)]).toEqual([0, false])
  expect([running.code, running.text, existsSync(used)]).toEqual([
    1,
    `The app is running (process ${pid}). Stop it first, then reset.\n`,
    true,
  ])
  expect([none.code, none.text]).toEqual([0, 'There is no local data.\n'])
})
