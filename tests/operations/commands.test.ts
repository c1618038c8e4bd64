import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signInOperator } from '../../src/console/operators/service.ts'
import { addDays } from '../../src/platform/time.ts'
import { asOwner, visit } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { environmentOf, runCommand, runProcess } from '../support/run-command.ts'
import { sampled, stress } from '../support/scale.ts'

const app = setUpTestApp()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const run = (script: string, ...args: string[]) => runCommand(script, args, environmentOf(app))

const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const commands: [script: string, ...args: string[]][] = [
  ['import-feed', '--partner', 'skyharbor'],
  ['load-cards', '--partner', 'skyharbor'],
  ['load-members', '--partner', 'skyharbor'],
  ['import-merchants'],
]

test('Case 65 a compressed line without end, a binary file and an empty one end each command with a clear error', async () => {
  const bomb = write('bomb.ndjson.gz', gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x')))
  const binary = write('binary.ndjson', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))
  const empty = write('empty.ndjson', '')
  const wanted: [string, RegExp][] = [
    [bomb, /Line 1 is longer than 1 MB\./],
    [binary, /Line 1 .*not text/],
    [empty, /The file has no rows\./],
  ]
  for (const [file, message] of wanted) {
    // They share one reader of files, and each call starts a process: all files go to all commands under stress only.
    const called = stress ? commands : file === bomb ? commands.slice(2) : commands.slice(0, 1)
    const ended = await Promise.all(called.map(([script, ...args]) => run(script, ...args, file)))
    for (const [index, { code, text }] of ended.entries()) {
      expect([called[index]?.[0], file, code]).toEqual([called[index]?.[0], file, 1])
      expect(text).toMatch(message)
      // The error was handled, not uncaught.
      expect(text).not.toContain('    at ')
    }
  }
  expect(await asOwner(app, 'select 1 from feed_messages')).toEqual([])
  expect(await asOwner(app, 'select 1 from merchants')).toEqual([])
})

test('rows dated in the future are rejected, named and not applied', async () => {
  const events = ['2099-01-01T12:00:00Z', '2026-03-11T12:00:00Z'].map((datetime, index) =>
    JSON.stringify(feedEvent('transaction.auth', { id: `t${index}`, datetime })),
  )
  const feed = await run('import-feed', '--partner', 'skyharbor', write('future.ndjson', events.join('\n')))
  expect(feed.code).toBe(1)
  expect(feed.text).toContain('line 1: Its date is more than two days ahead.')
  expect(feed.text).toContain('2 lines: 0 applied, 1 unmatched, 0 repeated, 0 ignored, 1 rejected')
  const place = {
    id: 'a',
    name: 'A',
    lat: 40.75,
    lng: -73.99,
    city: 'New York',
    state: 'NY',
    zip: '10001',
    cuisine: ['Thai'],
  }
  const rows = write('places.ndjson', JSON.stringify({ ...place, joinedOn: '2099-01-01' }))
  const merchants = await run('import-merchants', rows)
  expect([merchants.code, merchants.text.includes('Nothing was written')]).toEqual([1, true])
  expect(await asOwner(app, 'select 1 from merchants')).toEqual([])
})

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** Every command of package.json: its name, its script and its fixed arguments. */
const everyCommand = Object.entries(scripts).map(([name, line]): [string, string, string[]] => {
  const [, , script = '', ...args] = line.split(' ')
  return [name, script, args]
})

/** Runs work for each item, a few at a time. */
async function forEachParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all([next(), next(), next()])
}

test('every command of package.json prints its usage for --help and exits with 0', async () => {
  expect(everyCommand.length).toBeGreaterThan(20)
  // They share the function that prints the usage, and each call starts a process.
  await forEachParallel(sampled(everyCommand), async ([name, script, args]) => {
    // A script that others import as well does nothing unless its process runs it.
    const isImported = readFileSync(`scripts/${script}.ts`, 'utf8').includes('import.meta.main')
    const call = isImported ? runProcess : runCommand
    const { code, out, err } = await call(script, [...args, '--help'], environmentOf(app))
    expect([name, code, err]).toEqual([name, 0, ''])
    expect(out).toMatch(/npm (run |test|start)/)
  })
})

test('every command uses one cache of compiled modules, and a folder that cannot be written stops no command', async () => {
  const printed = 'data:text/javascript,console.log(process.env.NODE_COMPILE_CACHE)'
  const launch = (cache: string) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: `--import=${printed}` }
    return spawnSync(process.execPath, ['launch.cjs', 'flag', '--help'], { env, encoding: 'utf8' })
  }
  const [usual, unwritable] = [launch(''), launch('package.json/cache')]
  // The first line is from the launcher, the second from the command.
  expect(usual.stdout.split('\n')[1]).toBe(join(process.cwd(), 'node_modules', '.cache', 'node'))
  expect(unwritable.stdout.split('\n')[1]).toBe('package.json/cache')
  expect([unwritable.status, unwritable.stderr]).toEqual([0, ''])
})

test('an unknown option is an error that names it, with the usage', async () => {
  // Arguments of test:stress go to the test runner, which rejects unknown options itself. The commands share one
  // argument parser, and each call starts a process.
  const own = sampled(everyCommand.filter(([name]) => name !== 'test:stress'))
  await forEachParallel(own, async ([name, script, args]) => {
    const { code, out, err } = await run(script, ...args, '--no-such-option')
    expect([name, code === 0, out, err.includes('    at ')]).toEqual([name, false, '', false])
    expect([name, err]).toEqual([name, expect.stringContaining('--no-such-option')])
    expect([name, err]).toEqual([name, expect.stringMatching(/npm (run |test|start)/)])
  })
})

test('an unknown program is an error that lists the existing ones', async () => {
  const file = write('some.ndjson', '{}')
  const called: [string, ...string[]][] = [
    ['dine', '--member', 'a@example.com'],
    ['import-feed', file],
    ['load-cards', file],
    ['load-members', file],
    ['settle'],
    ['recalculate', '--from', '2026-01-01', '--to', '2026-01-02'],
    ['simulate'],
    ['export-surveys', '--form', 'sky-booking'],
    ['flag'],
    ['maintenance', 'on'],
  ]
  await forEachParallel(sampled(called), async ([script, ...args]) => {
    const { code, err } = await run(script, ...args, '--partner', 'unicorn')
    expect([script, code]).toEqual([script, 1])
    expect([script, err]).toEqual([script, expect.stringContaining('There is no program unicorn. There are: beacon, ')])
  })
  const wanted = ['add', '--email', 'a@example.com', '--name', 'A', '--partners', 'unicorn']
  expect(await run('operator', ...wanted)).toMatchObject({ code: 1, err: expect.stringContaining('unicorn') })
})

test('future days and months cannot be settled, recalculated or stated', async () => {
  const out = join(folder, 'settled')
  const called: [string, ...string[]][] = [
    ['settle', '--partner', 'skyharbor', '--from', '2026-01-01', '--to', '2099-01-01', '--out', out],
    ['recalculate', '--partner', 'skyharbor', '--from', '2099-01-01', '--to', '2099-01-02'],
    ['statement', '--merchant', 'x', '--month', '2099-01'],
  ]
  await forEachParallel(called, async ([script, ...args]) => {
    const { code, err } = await run(script, ...args)
    expect([script, code, err]).toEqual([script, 1, expect.stringMatching(/^2099-01(-01)? has not started/)])
  })
  expect(existsSync(out)).toBe(false)
})

test('a recalculation lists each difference with the award before and after it, and their sum', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('clearing', '42.00')
  await asOwner(app, 'update transactions set benefit = 1 where member_id = $1', [member.memberId])
  const today = new Date().toISOString().slice(0, 10)
  const { out } = await run('recalculate', '--partner', 'skyharbor', '--from', addDays(today, -1), '--to', today)
  expect(out).toMatch(/^ {4}1 mile \(earned, rule (\d+)\) -> 126 miles \(earned, rule \1\)$/m)
  expect(out).toContain('1 differences, +125 in the smallest unit: nothing was changed')
})

test('feature flags are listed and set, and maintenance closes and opens a whole program', async () => {
  const skyharbor = visit(app, 'skyharbor')
  const flags = async () => (await skyharbor.get('/api/feature-flags')).json()
  const list = await run('flag', '--partner', 'skyharbor')
  expect(list.out).toMatch(/^hasVIP +on$/m)
  expect(list.out).toMatch(/^siteMaintenance +off$/m)
  expect((await run('flag', '--partner', 'skyharbor', 'hasVIP', 'off')).out).toBe('hasVIP is off for skyharbor.\n')
  await vi.waitFor(async () => expect((await flags()).partnerFeatureFlags).toEqual({ hasVIP: false }), 20_000)
  expect((await run('flag', '--partner', 'skyharbor')).out).toMatch(/^hasVIP +off$/m)
  const unknown = await run('flag', '--partner', 'skyharbor', 'hasVap', 'off')
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('There is no feature flag hasVap.')])
  for (const state of ['on', 'off']) {
    expect((await run('maintenance', state, '--partner', 'skyharbor')).code).toBe(0)
    const closed = state === 'on'
    const wanted = { siteMaintenance: closed, loginMaintenance: closed, joinMaintenance: closed }
    await vi.waitFor(async () => expect((await flags()).authFlags).toMatchObject(wanted), 20_000)
  }
  expect((await run('maintenance', '--partner', 'skyharbor')).code).toBe(1)
})

test('a command whose output nobody reads to its end completes its work', async () => {
  const env = { ...process.env, ...environmentOf(app) }
  const args = ['scripts/flag.ts', '--partner', 'skyharbor', 'hasReservationBonus', 'off']
  const child = spawn(process.execPath, args, { env })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, err]).toEqual([0, ''])
  expect((await run('flag', '--partner', 'skyharbor')).out).toMatch(/^hasReservationBonus +off$/m)
})

test('operators are added, listed, disabled, enabled, and given another role, password and code', async () => {
  const email = 'nora@example.com'
  const shared = app.database.consolePools.shared
  const lockKey = Buffer.alloc(32, 7)
  const mayEnter = async (password: string) => (await signInOperator(shared, { email, password, lockKey })) !== null
  const call = (verb: string, ...args: string[]) => run('operator', verb, '--email', email, ...args)
  const listed = async () => (await run('operator', 'list')).out.split('\n').find((line) => line.startsWith(email))
  const first = /with: (.+)/.exec((await call('add', '--name', 'Nora')).out)?.[1] ?? ''
  const support = ['--name', ' Sue ', '--role', 'support', '--partners', 'beacon']
  expect((await run('operator', 'add', '--email', 'sue@example.com', ...support)).code).toBe(0)
  const list = (await run('operator', 'list')).out.split('\n')
  expect(list.filter((line) => /^(nora|sue)@/.test(line))).toEqual([
    `${email}  marketer  every program  enabled  Nora`,
    'sue@example.com  support  beacon  enabled  Sue',
  ])
  expect(await mayEnter(first)).toBe(true)
  expect(await call('add', '--name', 'Nora')).toMatchObject({ code: 1, err: `${email} is an operator already.\n` })
  expect((await call('role', '--role', 'admin', '--partners', 'beacon,orchard')).code).toBe(0)
  expect(await listed()).toBe(`${email}  administrator  beacon,orchard  enabled  Nora`)
  const sessions = () =>
    asOwner(
      app,
      `select 1 from console.sessions s join console.operators o on o.id = s.operator_id where o.email = '${email}'`,
    )
  expect(await sessions()).toHaveLength(1)
  const second = /with: (.+)/.exec((await call('password')).out)?.[1] ?? ''
  expect(await sessions()).toHaveLength(0)
  expect([await mayEnter(first), await mayEnter(second)]).toEqual([false, true])
  expect((await call('code')).out).toMatch(/may add a passkey with the code: \S+/)
  expect((await call('add', '--new-code')).out).toMatch(/may add a passkey with the code: \S+/)
  expect((await call('disable')).code).toBe(0)
  expect(await mayEnter(second)).toBe(false)
  expect(await listed()).toContain('disabled')
  for (const verb of ['disable', 'password', 'code']) expect([verb, (await call(verb)).code]).toEqual([verb, 1])
  expect((await call('enable')).code).toBe(0)
  expect(await mayEnter(second)).toBe(true)
  const wrong: [string[], RegExp][] = [
    [['role', '--email', email, '--role', 'owner'], /--role must be/],
    [['role', '--email', email], /--role must be/],
    [['remove', '--email', email], /What is to be done/],
    [['enable', '--email', 'unknown'], /must be an email address/],
    [['role', '--email', 'unknown@example.com', '--role', 'admin'], /No operator unknown@example\.com/],
  ]
  await forEachParallel(wrong, async ([args, message]) => {
    expect(await run('operator', ...args)).toMatchObject({ code: 1, err: expect.stringMatching(message) })
  })
})

test('jobs that have failed for good are listed, retried by a running app, and removed', async () => {
  const add = async (row: string) => {
    const [job] = await asOwner<{ id: string }>(
      app,
      `insert into jobs.job (name, data, policy, source_name, source_output, keep_until)
       values ('dead-letters', $1, 'standard', 'emails', '{"message": "no route"}', now() + interval '1 day')
       returning id`,
      [{ partnerId: 'skyharbor', id: row }],
    )
    return job?.id ?? ''
  }
  const [first, second] = [await add('9000001'), await add('9000002')]
  const listed = async () => (await run('jobs', 'list')).out
  expect(await listed()).toMatch(new RegExp(`${first}  \\S+Z  skyharbor  emails 9000001  no route\n${second} `))
  expect(await run('jobs', 'discard', second)).toMatchObject({ code: 0, out: '1 jobs are removed.\n' })
  expect(await run('jobs', 'retry', first)).toMatchObject({ code: 0, out: '1 jobs are retried.\n' })
  expect(await listed()).toBe('No job has failed.\n')
  // Its email does not exist, so there is nothing to do.
  const states = () => asOwner(app, `select state from jobs.job where data ->> 'id' = '9000001'`)
  await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'completed' }]), 20_000)
  expect(await run('jobs', 'retry', first)).toMatchObject({ code: 1, err: `No such failed job: ${first}\n` })
  for (const args of sampled([[], ['list', first], ['retry'], ['retry', '--all', first], ['discard', 'x']]))
    expect((await run('jobs', ...args)).code).not.toBe(0)
})
