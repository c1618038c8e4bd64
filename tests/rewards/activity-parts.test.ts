import { createElement } from 'react'
import { expect, test } from 'vitest'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { getStatementCreditBalance, getTransactionTimeline, listGoals } from '../../src/rewards/activity/contract.ts'
import { CreditPanel } from '../../src/rewards/activity/member/CreditPanel.tsx'
import { Goals } from '../../src/rewards/activity/member/embed/Goals.tsx'
import { Statement } from '../../src/rewards/activity/member/embed/Statement.tsx'
import { TransactionTimeline } from '../../src/rewards/activity/member/embed/TransactionTimeline.tsx'
import { LinkOutcome } from '../../src/rewards/cards/member/embed/LinkOutcome.tsx'
import { ReviewLink } from '../../src/rewards/reviews/member/embed/ReviewLink.tsx'
import { type PartOptions, renderHtml, renderText } from '../support/render-part.tsx'

test('the link of the goals leads to the restaurants near the member, and to all without a ZIP code', () => {
  const goal = { kind: 'vip', key: 'rewards.goal.vip_keep', params: { count: '3', by: 'December 31' } }
  const goals = [
    { ...goal, progress: { done: 8, total: 11 } },
    { ...goal, kind: 'step', key: 'rewards.goal.step', params: { bill: '$50.00', benefit: '5¢' }, progress: null },
  ]
  const render = (zipCode: string, data: object[]) =>
    renderHtml(createElement(Goals, { zipCode }), { loaded: [[apiQueryKey(listGoals, {}), data]] })
  expect(render('02108', goals)).toContain('href="/search?location=02108"')
  expect(render('', goals)).toMatch(/href="\/search\??"/)
  expect(render('', goals).match(/<progress/g)).toHaveLength(1)
  expect(render('', goals)).toContain('A bill of $50.00 earns the next 5¢')
  expect(render('02108', [])).toBe('')
})

test('the balance fills a meter to the amount of the program’s text, else to that of a credit', () => {
  const meter = (memberBalance: number, options: PartOptions) => {
    const loaded = [[apiQueryKey(getStatementCreditBalance, {}), { memberBalance }]] as const
    const html = renderHtml(createElement(CreditPanel), { partner: 'beacon', loaded, ...options })
    return [/ value="(\d+)"/.exec(html)?.[1], / max="(\d+)"/.exec(html)?.[1]]
  }
  const messages = { 'activity.balance_maximum': '50' }
  expect(meter(12.5, { messages })).toEqual(['1250', '5000'])
  expect(meter(12.5, { config: { statementCreditFromCents: 3000 } })).toEqual(['1250', '3000'])
  for (const text of ['0', 'none'])
    expect(meter(12.5, { messages: { 'activity.balance_maximum': text } })).toEqual(['1250', '2000'])
})

test('the times of a transaction say that they are GMT where the time zone of the restaurant is unknown', () => {
  const step = { at: '2026-03-10T23:30:00.000Z', key: 'rewards.story.cleared', params: {} }
  const times = (timeZone: string | null) => {
    const loaded = [
      [apiQueryKey(getTransactionTimeline, { params: { id: 't' } }), { steps: [step], sum: [], next: null }],
    ] as const
    const html = renderHtml(createElement(TransactionTimeline, { id: 't', timeZone }), { loaded })
    return /<time[^>]*>(.*?)<\/time>/.exec(html)?.[1]?.replace(/\s/g, ' ')
  }
  expect([times(null), times('America/New_York')]).toEqual(['Mar 10, 2026, 11:30 PM GMT', 'Mar 10, 2026, 7:30 PM'])
})

const transaction = {
  kind: 'transaction',
  sourceTransactionId: 't-1',
  merchantId: 'corner-bistro',
  merchantName: 'Corner Bistro',
  activeMerchant: true,
  transactionCreatedAt: new Date(Date.now() - 86_400_000).toISOString(),
  timeZone: 'America/New_York',
  transactionStatus: 'paid',
  transactionTypeCode: 'S',
  date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  awardStatus: 'Pending',
}

test('a review is needed to earn only while the award is pending, and its form is the program’s own where it has one', () => {
  const link = (over: object, config: object, reviewed: readonly string[] | null = []) => {
    const props = { transaction: { ...transaction, ...over }, reviewed: reviewed && new Set(reviewed) }
    const member = { publicId: 'ada', familyId: 'family' }
    const html = renderHtml(createElement(ReviewLink, props as never), { member, config } as PartOptions)
    return [/<a[^>]*>(.*?)(?:<!-- -->)? ?<span/.exec(html)?.[1]?.replaceAll('<!-- -->', '').trim(), html] as const
  }
  const needed = { formServiceCode: 'sky', awardsNeedReview: true }
  expect(link({}, needed)[0]).toBe('Review this meal to earn')
  expect(link({ awardStatus: 'Awarded' }, needed)[0]).toBe('Review this meal')
  expect(link({}, { ...needed, awardsNeedReview: false })[0]).toBe('Review this meal')
  expect(link({}, needed)[1]).toContain('href="https://forms.example/reviews/sky?')
  expect(link({}, { ...needed, reviewUrl: 'https://reviews.example/meal' })[1]).toContain(
    'href="https://reviews.example/meal?',
  )
  expect(link({}, needed)[1]).toContain('familyId=family')
  expect(link({}, { formServiceCode: undefined, reviewUrl: undefined })[1]).toBe('')
  expect(link({}, needed, null)[1]).toBe('')
  expect(link({}, needed, ['t-1'])[1]).toBe('<span>Reviewed</span>')
})

test('each credit of the list says what has become of it', () => {
  const credit = { kind: 'credit', creditAmountCents: 2000, delivery: 'Card', targetLabel: 'Visa', date: '2026-03-10' }
  const text = (status: string, isChecking = false) =>
    renderText(createElement(Statement, { entries: [{ ...credit, creditId: status, status, isChecking }] } as never))
  const statuses = ['pending', 'pending_received', 'completed', 'rejected', 'error']
  const said = (shown: string) => shown.replace(/^.*\$20\.00 /, '')
  expect(statuses.map((status) => said(text(status)))).toEqual([
    'On its way',
    'On its way',
    'Sent',
    'Not accepted: back in your balance',
    'Back in your balance',
  ])
  expect(said(text('pending_received', true))).toBe('We’re checking this payment')
})

test('LINK-042 a result without a linked card is true of one card and of several', () => {
  const failed = ['4242', '0002'].map((lastFour) => ({
    memberCard: { id: '', cardType: 'visa', description: 'Visa', lastFour, partnerCardId: null },
    error: { code: 'DECLINED', message: 'No.' },
  }))
  for (const count of [1, 2]) {
    const outcome = { linked: [], failed: failed.slice(0, count) }
    expect(renderText(createElement(LinkOutcome, { outcome } as never))).toMatch(
      /^No card could be linked\. Visa ending in 4242: No\. \(DECLINED\)/,
    )
  }
})

test('the next step after linking is offered only when a card was linked', () => {
  const card = { id: 'c', cardType: 'visa', description: 'Visa', lastFour: '4242', partnerCardId: '' } as const
  const declined = { memberCard: card, error: { code: 'DECLINED', message: 'No.' } }
  const requested = { memberCard: card, error: { code: 'MOVE_REQUESTED', message: '' } }
  const text = (outcome: object) => renderText(createElement(LinkOutcome, { outcome } as never, 'Continue'))
  expect(text({ linked: [card], failed: [] })).toBe('Your card ending in 4242 is linked. Continue')
  expect(text({ linked: [card], failed: [declined] })).toMatch(/Continue$/)
  expect(text({ linked: [], failed: [declined] })).toMatch(/^No card could be linked\. .*No\. \(DECLINED\)$/)
  expect(text({ linked: [], failed: [requested] })).not.toContain('Continue')
})
