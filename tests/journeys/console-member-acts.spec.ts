import { asOwner, at, expect, further, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { joinViaApi, newEmail, openConsole } from '../support/journey-members.ts'

// What is refused on purpose.
test.use({ tolerated: /status of (400|401|404|409|422)/ })

test(
  'CON-105 CON-109 CON-110 CON-111 CON-112 CON-603 a member gets a tag, a bonus and another address, is closed and reopened',
  further,
  async ({ page, browser }) => {
    const member = await (await browser.newContext()).newPage()
    const email = await joinViaApi(member, 'skyharbor')
    await openConsole(page)
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await page.goto(at('console', `/skyharbor/members?q=${encodeURIComponent(email)}`))
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await expectConsolePage(page, 'Ada Lovelace')
    for (const tab of ['Transactions', 'Cards', 'Bonuses and visits', 'Messages', 'Consents', 'Access']) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
      await expectAccessibleInBoth(page)
    }
    await page.getByRole('button', { name: /^End the session in/ }).click()
    await expect(page.getByRole('button', { name: /^End the session in/ })).toBeHidden()

    const choose = async (item: string, title: string | RegExp) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
      return expectConsoleDialog(page, title)
    }
    const correct = await choose('Correct name or address', 'Correct name or address')
    await page.keyboard.press('Escape')
    await expect(correct).toBeHidden()

    const tags = await choose('Tags', 'Tags')
    await expect(tags.getByRole('combobox', { name: 'Tags' })).toBeFocused()
    await page.keyboard.type('Not a tag!')
    await page.keyboard.press('Enter')
    await expect(tags.getByRole('button', { name: 'Store' })).toBeDisabled()
    await expectAccessibleInBoth(page)
    await tags.getByRole('combobox', { name: 'Tags' }).fill('frequent')
    await page.keyboard.press('Enter')
    await tags.getByRole('button', { name: 'Store' }).click()
    await expect(tags).toBeHidden()
    await expect(page.getByText('frequent', { exact: true })).toBeVisible()

    const bonus = await choose('Grant a bonus', 'Grant a bonus')
    await bonus.getByRole('combobox', { name: 'Bonus' }).click()
    await page.getByRole('option').first().click()
    await bonus.getByLabel('Reason').fill('Ticket 4711')
    await bonus.getByRole('button', { name: 'Grant' }).click()
    await expect(page.getByText('Granted. It counts from now on.')).toBeVisible()

    const address = newEmail()
    const change = await choose('Change email address', 'Change email address')
    await expect(change.getByLabel('New email address')).toBeFocused()
    await page.keyboard.type('nobody')
    await change.getByLabel('Reason').fill('Ticket 4711')
    await change.getByRole('button', { name: 'Change' }).click()
    await expect(change.getByLabel('New email address')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessibleInBoth(page)
    await change.getByLabel('New email address').fill(address)
    await change.getByRole('button', { name: 'Change' }).click()
    await expect(change).toBeHidden()
    await expect(page.getByText(address).first()).toBeVisible()

    const close = await choose('Close the account', /^Close the account of/)
    await close.getByLabel('Reason').fill('The member asked for it')
    await close.getByRole('button', { name: 'Close the account' }).click()
    await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible()
    await expectAccessibleInBoth(page)
    const reopen = await choose('Reopen the account', /^Reopen the account of/)
    await reopen.getByLabel('Reason').fill('A mistake')
    await reopen.getByRole('button', { name: 'Reopen' }).click()
    await expect(page.getByText('Open again.')).toBeVisible()
    await page.getByRole('button', { name: 'View as member' }).click()
    await expectConsoleDialog(page, /^View the app as/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expectFitsPhone(page)
    await member.context().close()
  },
)

test('CON-013 CON-108 CON-736 what one operator asks for, a second one approves or refuses', async ({
  page,
  browser,
}) => {
  const member = await (await browser.newContext()).newPage()
  const email = await joinViaApi(member, 'skyharbor')
  await member.context().close()
  const second = `second-${Date.now()}@dineback.example`
  await asOwner(
    `with petra as (
       insert into console.operators (email, name, password_hash, role)
       select $1, 'Petra', password_hash, 'admin' from console.operators where email = 'admin@dineback.example'
       returning id)
     insert into console.grants (operator_id, role) select id, 'administrator' from petra`,
    [second],
  )
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await page.goto(at('console', `/skyharbor/members?q=${encodeURIComponent(email)}`))
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  for (const amount of ['9001', '9002']) {
    await page.getByRole('button', { name: 'Credit or debit' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Amount in miles')).toBeFocused()
    await page.keyboard.type(amount)
    await expect(dialog.getByText('A second person has to approve it.')).toBeVisible()
    if (amount === '9001') await expectAccessibleInBoth(page)
    await dialog.getByLabel('Reason').fill('Compensation')
    await dialog.getByRole('button', { name: 'Ask for approval' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.goto(at('console', '/skyharbor/approvals?asker=me'))
  await page.getByRole('link', { name: /Credit of 9,001 miles/ }).click()
  await expect(page.getByText('You asked for this. A second person decides it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  const other = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openConsole(other, second)
  await expect(other.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(other, '/skyharbor/approvals', 'Approvals')
  for (const [amount, button, done] of [
    ['9,001', 'Approve', 'Approved and carried out.'],
    ['9,002', 'Refuse', 'Refused.'],
  ]) {
    await other.getByRole('link', { name: new RegExp(`Credit of ${amount} miles`) }).click()
    await expect(other.getByText('After it')).toBeVisible()
    await other.getByLabel('Reason').fill('I have seen the letter')
    await expectAccessibleInBoth(other)
    await other.getByRole('button', { name: button }).click()
    await expect(other.getByText(done ?? '')).toBeVisible()
    await expect(other.getByRole('link', { name: new RegExp(`Credit of ${amount} miles`) })).toHaveCount(0)
  }
  await other.goto(at('console', '/skyharbor/approvals?state=decided'))
  await expect(other.getByRole('link', { name: /Credit of 9,002 miles/ })).toBeVisible()
  await expectAccessibleInBoth(other)
  await expectFitsPhone(other)
  await other.context().close()
})
