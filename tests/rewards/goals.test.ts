import { expect, test } from 'vitest'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

interface Goal {
  kind: string
  key: string
  params: Record<string, string>
  progress: { done: number; total: number } | null
}
const getGoals = async ({ visitor }: CardMember): Promise<Goal[]> => (await visitor.get('/api/Member/Goals')).json()
const of = async (member: CardMember, kind: string) => (await getGoals(member)).find((goal) => goal.kind === kind)

test('the visits missing to VIP are counted down to the end of the year', async () => {
  const member = await createCardMember(app)
  const before = await of(member, 'vip')
  expect([before?.params.count, before?.progress]).toEqual(['11', { done: 0, total: 11 }])
  expect(before?.params.by).toMatch(/^Dec 31, \d{4}$/)
  await member.sendTransaction('clearing', '30.00')
  expect((await of(member, 'vip'))?.params.count).toBe('10')
})

test('a fuel program names the bill of the next step, and a transaction of that amount earns it', async () => {
  const member = await createCardMember(app, 'gallonaire')
  const step = await of(member, 'step')
  expect(step?.params).toEqual({ bill: '$50.00', benefit: '10¢ per gallon' })
  await member.sendTransaction('clearing', '50.00')
  expect((await member.listTransactions())[0].benefitAmount).toBe(0.1)
})

test('an activated bonus shows how many visits are missing', async () => {
  const member = await createCardMember(app, 'orchard')
  await member.visitor.change('POST', '/api/Member/Bonus/ORC-WELCOME')
  expect(await of(member, 'bonus')).toMatchObject({
    key: 'rewards.goal.bonus_one',
    params: { benefit: '500 points', bonus: 'A welcome gift for your first dinner' },
    progress: { done: 0, total: 1 },
  })
})
