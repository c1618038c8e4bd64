import { createElement } from 'react'
import { expect, test } from 'vitest'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { listGoals } from '../../src/rewards/activity/contract.ts'
import { Goals } from '../../src/rewards/activity/member/embed/Goals.tsx'
import { renderText } from '../support/render-part.tsx'

const by = 'Dec 31, 2026'
const vip = { kind: 'vip', key: 'rewards.goal.vip', params: { count: '11', by }, progress: { done: 0, total: 11 } }
const dollars = { ...vip, key: 'rewards.goal.vip_dollars', params: { amount: '$25.50', by } }
const keep = {
  ...vip,
  key: 'rewards.goal.vip_keep',
  params: { count: '2', by, year: '2027' },
  progress: { done: 9, total: 11 },
}
const bonus = {
  kind: 'bonus',
  key: 'rewards.goal.bonus_one',
  params: { bonus: 'A bonus', by, benefit: '500 miles' },
  progress: null,
}

test('ACCT-029 how far VIP is, which the overview says above, is not repeated as a goal; what keeps it is one', () => {
  const shown = (...goals: object[]) =>
    renderText(createElement(Goals, { zipCode: '' }), { loaded: [[apiQueryKey(listGoals, {}), goals]] })
  expect([shown(vip), shown(dollars)]).toEqual(['', ''])
  expect(shown(vip, bonus)).toContain('A bonus: one to go')
  expect(shown(vip, bonus)).not.toContain('VIP')
  expect(shown(keep)).toContain('2 more dines by Dec 31, 2026 to stay VIP in 2027')
})
