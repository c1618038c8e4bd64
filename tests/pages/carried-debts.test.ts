import { randomUUID } from 'node:crypto'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { DeleteAccount } from '../../src/account/privacy/member/DeleteAccount.tsx'
import { inTransaction } from '../../src/platform/database/db.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { newMemberWithCard } from '../support/page-members.ts'
import { renderText } from '../support/render-part.tsx'

const app = setUpPages()

/** Posts what an account carries over, as `settleDebts` does. */
async function carry(email: string, code: string, amount: number, unit: 'cent' | 'mile') {
  const [member] = await asOwner<{ id: string }>(app, 'select id from members where email = $1', [email])
  const postings = rewardPostings({ memberId: Number(member?.id), unit, amount }, 'debt')
  const entry = {
    source: 'debt',
    sourceId: randomUUID(),
    version: 1,
    kind: 'debt',
    reason: { code },
    postings,
  } as const
  await inTransaction(app.database.pools.forPartner('skyharbor'), (tx) => postEntries(tx, [entry]))
}

test('API-043 the activity says in plain words why a balance begins below zero', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  await carry(email, 'debtCarried', -10_00, 'cent')
  await carry(email, 'debtReturned', 4_00, 'cent')
  const { screen } = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor })
  expect(await screen.findByText(/^\$10\.00 carried over from your earlier account/)).toBeVisible()
  expect(screen.getByText(/^\$4\.00 back to your balance/)).toBeVisible()
  expect(screen.getByText(/Your next rewards pay this back before anything new is paid/)).toBeVisible()
})

test('API-043 the overview shows it in the unit of the program, and nothing to a member who owes nothing', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  let page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  expect(await page.screen.findByRole('heading', { name: /Latest|Recent/ })).toBeVisible()
  expect(page.screen.queryByRole('heading', { name: 'Carried over' })).toBeNull()
  await carry(email, 'cardDebtCarried', -500, 'mile')
  page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  expect(await page.screen.findByText(/^500 miles carried over with a card you linked/)).toBeVisible()
})

test('the page says before the deletion that what is owed stays, for how long, and what is lost', async () => {
  const { visitor } = await newMember(app)
  const { screen } = await openPage(app, 'skyharbor', '/account/privacy', { visitor })
  expect(await screen.findByText(/you owe us that reward, also after your account is deleted/)).toHaveTextContent(
    'within two years',
  )
  expect(screen.getByText(/You lose rewards that have not been paid/)).toBeVisible()
})

test('ACCT-028 where rewards are statement credits, the page says that the balance is paid', () => {
  const text = (partner: string) => renderText(createElement(DeleteAccount), { partner })
  expect(text('beacon')).toContain('Your balance is paid as one last statement credit')
  expect(text('beacon')).not.toContain('You lose rewards')
  expect(text('gallonaire')).toContain('You lose rewards that have not been paid')
})
