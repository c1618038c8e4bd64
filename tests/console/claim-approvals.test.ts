import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim, settleClaim } from '../support/claims.ts'
import { type ConsoleSession, decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const program = '/api/programs/skyharbor'
const large = { code: 'credited', reward: '5001', confirmedReward: '5001', words: 'We are sorry.' }
let ada: ConsoleSession
let ben: ConsoleSession
let member: CardMember

beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
  const password = 'sourdough 4 breakfast'
  const open = async (name: string) => {
    const email = `${name}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name, role: 'admin', partners: null, password })
    return openConsole(app, email, password)
  }
  ada = await open('ada')
  ben = await open('ben')
  member = await createCardMember(app, 'skyharbor')
})

const claimOf = async (amount: string, days: number): Promise<string> =>
  (await openClaim(member, { amount, date: daysAgo(days) })).json().id
const balance = async () => (await ada.call('GET', `${program}/members/${member.publicId}`)).body.balance
const decide = (session: ConsoleSession, id: string, decision: 'approve' | 'refuse') =>
  session.call('POST', `${program}/approvals/${id}/decision`, { decision, reason: '' })
const emails = async () => {
  const [{ count = 0 } = {}] = await asOwner<{ count: number }>(
    app,
    'select count(*)::int as count from emails where member_id = $1',
    [member.memberId],
  )
  return count
}

test('CON-013 CON-736 CON-737 a large credit of a claim waits for a second operator, who alone posts it', async () => {
  const id = await claimOf('600.00', 12)
  const [before, sent] = [await balance(), await emails()]
  const asked = await decideClaim(ada, 'skyharbor', id, large)
  expect(asked.body).toMatchObject({ decision: null, waits: { summary: expect.stringContaining('5,001 miles') } })
  const { approval } = asked.body.waits
  expect([await balance(), await emails()]).toEqual([before, sent])
  const milesOf = (text: string) => Number.parseInt(text.replaceAll(',', ''), 10)
  const { effect } = (await ben.call('GET', `${program}/approvals/${approval}`)).body
  expect([effect.before, milesOf(effect.after)]).toEqual([before, milesOf(before) + 5001])
  // Meanwhile nobody decides it in another way, and a second request is none.
  expect((await decideClaim(ben, 'skyharbor', id, { code: 'noEvidence' })).body.code).toBe('claimWaits')
  const again = await Promise.all([decideClaim(ada, 'skyharbor', id, large), decideClaim(ben, 'skyharbor', id, large)])
  expect(again.map(({ status }) => status)).toEqual([409, 409])
  expect((await decide(ada, approval, 'approve')).status).toBe(403)
  expect((await decide(ben, approval, 'approve')).body).toMatchObject({ state: 'approved', memberName: 'Ada Lovelace' })
  expect(await settleClaim(app, id)).toBe('credited')
  expect((await ada.call('GET', `${program}/claims/${id}`)).body).toMatchObject({
    waits: null,
    decision: { code: 'credited', reward: '5,001 miles', by: 'ada' },
  })
  expect(milesOf(await balance()) - milesOf(before)).toBe(5001)
})

test('CON-013 two operators who ask at once make one request, and a refused one leaves the claim open', async () => {
  const id = await claimOf('700.00', 20)
  const both = await Promise.all([decideClaim(ada, 'skyharbor', id, large), decideClaim(ben, 'skyharbor', id, large)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const asker = both[0].status === 200 ? ada : ben
  const other = asker === ada ? ben : ada
  const { waits } = (await ada.call('GET', `${program}/claims/${id}`)).body
  expect((await decide(other, waits.approval, 'refuse')).body.state).toBe('refused')
  expect((await ada.call('GET', `${program}/claims/${id}`)).body).toMatchObject({ waits: null, decision: null })
  // What is not above the limit needs nobody else.
  const small = { ...large, reward: '5000', confirmedReward: '5000' }
  expect((await decideClaim(asker, 'skyharbor', id, small)).body.decision.reward).toBe('5,000 miles')
})

test('CON-009 an operator takes a claim, which colleagues see, and gives it back', async () => {
  const id = await claimOf('31.00', 14)
  const take = (session: ConsoleSession, owner: 'me' | 'nobody') =>
    session.call('POST', `${program}/claims/${id}/owner`, { owner })
  const queueOf = async (session: ConsoleSession, owner: string) => {
    const { body } = await session.call('GET', `${program}/claims?owner=${owner}`)
    return body.items.map((item: { id: string }) => item.id).includes(id)
  }
  expect((await take(ada, 'me')).body.owner).toEqual({ name: 'ada', isMe: true })
  expect((await ben.call('GET', `${program}/claims/${id}`)).body.owner).toEqual({ name: 'ada', isMe: false })
  expect([await queueOf(ada, 'me'), await queueOf(ben, 'me'), await queueOf(ben, 'nobody')]).toEqual([
    true,
    false,
    false,
  ])
  // A colleague may take it over: who is ill does not hold it.
  expect((await take(ben, 'me')).body.owner).toEqual({ name: 'ben', isMe: true })
  expect((await take(ben, 'nobody')).body.owner).toBeNull()
  expect([await queueOf(ada, 'me'), await queueOf(ada, 'nobody')]).toEqual([false, true])
})

test('CON-010 a reply that is sent often is a template of the program, replaced by its name, and removed', async () => {
  const templates = `${program}/claim-templates`
  const save = (words: string) => ada.call('POST', templates, { name: 'Too late', code: 'noEvidence', words })
  const list = async (session: ConsoleSession, path = templates) => (await session.call('GET', path)).body
  const [first] = (await save('We need the receipt within 90 days.')).body
  expect(await list(ben)).toEqual([
    { id: expect.any(String), name: 'Too late', code: 'noEvidence', words: 'We need the receipt within 90 days.' },
  ])
  await save('The receipt came too late.\r\nWe are sorry.')
  const stored = await list(ben)
  expect(stored.map(({ words }: { words: string }) => words)).toEqual(['The receipt came too late.\nWe are sorry.'])
  expect(await list(ada, templates.replace('skyharbor', 'orchard'))).toEqual([])
  expect((await save('')).status).toBe(400)
  const remove = () => ben.call('DELETE', `${templates}/${stored[0].id}`)
  expect([(await remove()).status, (await remove()).status, await list(ada)]).toEqual([200, 404, []])
  expect(first.id).toEqual(expect.any(String))
})
