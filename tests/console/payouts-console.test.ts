import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember } from '../support/rewards-harness.ts'
import { environmentOf, runCommand } from '../support/run-command.ts'
import { addUnansweredCredit } from '../support/unanswered-credit.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
let sessions: Awaited<ReturnType<typeof openConsole>>[]
const beacon = () => app.database.pools.forPartner('beacon')

beforeAll(async () => {
  const operators = [
    { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: null },
    { email: 'ben@dineback.example', name: 'Ben Admin', role: 'admin', partners: ['skyharbor'] },
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null },
  ] as const
  sessions = []
  for (const operator of operators) {
    await addOperator(app.database.consolePools.shared, { ...operator, password })
    sessions.push(await openConsole(app, operator.email, password))
  }
})

const statusOf = async (creditId: string) =>
  (await asOwner<{ status: string }>(app, 'select status from statement_credits where public_id = $1', [creditId]))[0]
    ?.status

test('ROLE-018 an administrator of the program lists credits without an answer and decides about them with a reason', async () => {
  const [ana, ben, sam] = sessions
  const memberId = await addMember(beacon())
  const creditId = await addUnansweredCredit(beacon(), memberId)
  const path = `/beacon/payouts/${creditId}`
  const list = await ana?.get('/beacon/payouts')
  expect(list?.text).toContain(creditId)
  expect(list?.text).toContain('The processor has not answered for days')
  const page = await ana?.get(path)
  for (const shown of ['$21.00', 'pay.example', 'status 503']) expect(page?.text).toContain(shown)
  // Neither the name of the card nor that of the member.
  expect(page?.text).not.toMatch(/4242|Lovelace/)
  for (const other of [ben, sam]) {
    expect((await other?.get('/beacon/payouts'))?.status).toBe(404)
    expect((await other?.get(path))?.status).toBe(404)
    expect((await other?.post(path, { decision: 'return', reason: 'not mine' }))?.status).toBe(404)
  }
  // A credit of another program is not found there.
  expect((await ana?.get(`/skyharbor/payouts/${creditId}`))?.status).toBe(404)
  const wrong = [{ decision: 'return' }, { decision: 'return', reason: ' ' }, { decision: 'burn', reason: 'x' }, {}]
  for (const fields of wrong) expect((await ana?.post(path, fields as never))?.status).toBe(400)
  const tooLong = await ana?.post(path, { decision: 'return', reason: 'x'.repeat(501) })
  expect(tooLong?.status).toBe(400)
  // What was typed stays whole, to be shortened.
  expect(tooLong?.text).toContain('The reason may have at most 500 characters.')
  expect(tooLong?.text).toContain(`>${'x'.repeat(501)}</textarea>`)
  expect(tooLong?.text).toMatch(/<option value="return" selected="">/)
  expect(page?.text).not.toMatch(/maxlength/i)
  expect((await ana?.post(path, { decision: 'acknowledge', reason: 'not one of its decisions' }))?.status).toBe(409)
  expect(await statusOf(creditId)).toBe('pending')
  expect((await ana?.post(path, { decision: 'return', reason: 'no <b>trace</b> of it' }))?.status).toBe(303)
  await vi.waitFor(async () => expect(await statusOf(creditId)).toBe('error'), 20_000)
  expect(await getBalance(beacon(), memberId, 'cent')).toBe(21_00)
  const after = await ana?.get(path)
  expect(after?.text).toContain('(ana@dineback.example: no &lt;b&gt;trace&lt;/b&gt; of it)')
  // It cannot be returned twice, nor declared paid.
  for (const decision of ['return', 'paid'])
    expect((await ana?.post(path, { decision, reason: 'again' }))?.status).toBe(409)
})

test('the command lists credits without an answer, shows their history, and decides with a name and a reason', async () => {
  const memberId = await addMember(beacon())
  const creditId = await addUnansweredCredit(beacon(), memberId)
  const run = (...args: string[]) => runCommand('payouts', [...args, '--partner', 'beacon'], environmentOf(app))
  expect((await run('list')).out).toMatch(
    new RegExp(`${creditId}  \\$21\\.00  \\S+Z  pending  unanswered  20 unanswered`),
  )
  expect(await run('paid', creditId)).toMatchObject({ code: 1, err: expect.stringContaining('Who decides it?') })
  expect(await run('paid', creditId, '--by', 'Ana')).toMatchObject({ code: 1, err: expect.stringContaining('Why?') })
  expect(await run('paid', 'unknown', '--by', 'Ana', '--reason', 'x')).toMatchObject({
    code: 1,
    err: 'There is no credit unknown.\n',
  })
  expect(await run('paid', creditId, '--by', 'Ana', '--reason', 'on the statement')).toMatchObject({ code: 0 })
  await vi.waitFor(async () => expect(await statusOf(creditId)).toBe('completed'), 20_000)
  expect((await run('show', creditId)).out).toMatch(/decision: paid {2}command: Ana: on the statement/)
  expect((await run('list')).out).toBe('The outcome of no credit is unknown.\n')
  expect(await run('return', creditId, '--by', 'Ana', '--reason', 'x')).toMatchObject({ code: 1 })
  expect(await getBalance(beacon(), memberId, 'cent')).toBe(0)
  for (const args of [[], ['list', creditId], ['show'], ['burn', creditId]]) expect((await run(...args)).code).toBe(1)
})
