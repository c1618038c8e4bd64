import { asOwner, at, expect, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'

/** Adds jobs of the program that have failed for good, with the same error. */
const addFailedJobs = (error: string, count: number) =>
  asOwner(
    `insert into jobs.job (name, data, singleton_key, policy, source_name, source_output, source_retry_count,
       source_created_on, keep_until)
     select 'dead-letters', jsonb_build_object('partnerId', 'skyharbor', 'id', '0'), 'skyharbor:0', 'standard', 'emails',
       jsonb_build_object('message', $1::text), 8, now() - interval '1 hour', now() + interval '1 day'
     from generate_series(1, $2)`,
    [error, count],
  )

test('CON-400 CON-401 CON-402 failed jobs are retried and discarded after their effect was shown', async ({ page }) => {
  const error = `no route to ${Date.now().toString(36)}`
  await addFailedJobs(error, 3)
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, `/skyharbor/jobs?q=${encodeURIComponent(error)}`, 'Jobs')
  await expect(page.getByText('3 in all')).toBeVisible()
  await page.getByRole('region', { name: 'Jobs' }).getByRole('link').first().click()
  await expectConsolePage(page, 'Emails')
  await expect(page.getByRole('region', { name: 'Last error' })).toContainText(error)

  await page.getByRole('button', { name: 'Discard' }).click()
  const discard = await expectConsoleDialog(page, 'Discard failed jobs')
  await expect(discard.getByText('1 job will be removed for good.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(discard).toBeHidden()
  await expect(page.getByRole('button', { name: 'Discard' })).toBeFocused()
  await page.keyboard.press('Enter')
  await discard.getByRole('button', { name: 'Discard' }).click()
  await expect(discard.getByText('Please say why, in a few words.')).toBeVisible()
  await expect(discard.getByLabel('Reason')).toBeFocused()
  await expectAccessibleInBoth(page)
  await page.keyboard.type('Its server is gone')
  await discard.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Discarded: 1 job.')).toBeVisible()

  // The other two, as a selection, by keyboard.
  await page.goto(at('console', `/skyharbor/jobs?q=${encodeURIComponent(error)}`))
  await expect(page.getByText('2 in all')).toBeVisible()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select Emails', exact: true, checked: true })).toHaveCount(2)
  await page.getByRole('button', { name: /^Retry/ }).click()
  const retry = await expectConsoleDialog(page, 'Retry failed jobs')
  await expect(retry.getByText(/will go back to the queue/)).toBeVisible()
  await retry.getByLabel('Reason').fill('The route is back')
  await retry.getByRole('button', { name: 'Retry' }).click()
  await expect(retry).toBeHidden()
  await expect(page.getByText('Nothing matches these filters')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFitsPhone(page)
})

test('CON-403 CON-404 CON-405 a failed email is read and sent again', async ({ page, browser }) => {
  const member = await (await browser.newContext()).newPage()
  const email = await joinViaApi(member, 'skyharbor')
  await member.context().close()
  await asOwner(
    `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status, last_error)
     select 'skyharbor', id, 'reservation.booked', 'journey', email, 'Your table at noon', 'Your table in words.',
       '<p style="color: #000; background: #fff">Your table in a frame.</p>', 'failed', '550 mailbox full'
     from members where email = $1`,
    [email],
  )
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, `/skyharbor/emails?status=failed&q=${encodeURIComponent(email)}`, 'Emails')
  await expect(page.getByText('1 in all')).toBeVisible()
  await page.getByRole('region', { name: 'Emails' }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Your table at noon', level: 1 })).toBeVisible()
  await expect(page.frameLocator('iframe').getByText('Your table in a frame.')).toBeVisible()
  await expect(page.getByText('550 mailbox full')).toBeVisible()
  await page.getByRole('tab', { name: 'As it looks' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Your table in words.')).toBeVisible()
  // Here rather than above: axe would wait for the frame, which runs no scripts.
  await expectConsolePage(page, 'Your table at noon')
  await page.getByRole('button', { name: 'Send again' }).click()
  const dialog = await expectConsoleDialog(page, 'Send failed emails again')
  await expect(dialog.getByText('1 email will be sent again')).toBeVisible()
  await dialog.getByLabel('Reason').fill('The mailbox has room')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Sent again: 1 email.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('550 mailbox full')).toBeHidden()
  await expectFitsPhone(page)
})

test('CON-406 CON-407 CON-408 a flag and the maintenance are switched and switched back', async ({ page, browser }) => {
  const visitor = await (await browser.newContext()).newPage()
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, '/orchard/flags', 'Flags and maintenance')
  for (const [from, to] of [
    ['off', 'on'],
    ['on', 'off'],
  ]) {
    await page.getByRole('button', { name: `Switch ${to}: Joining closed` }).click()
    const dialog =
      to === 'on'
        ? await expectConsoleDialog(page, 'Switch on: Joining closed')
        : page.getByRole('dialog', { name: 'Switch off: Joining closed' })
    await dialog.getByLabel('Reason').fill('A test of the forms')
    await dialog.getByRole('button', { name: `Switch ${to}` }).click()
    await expect(page.getByText(`Joining closed is ${to}.`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Switch ${from}: Joining closed` })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Close for maintenance' }).click()
  const close = await expectConsoleDialog(page, 'Close for maintenance')
  await close.getByLabel('Reason').fill('A new database')
  await close.getByRole('button', { name: 'Close the program' }).click()
  await expect(page.getByText('The program is closed for maintenance')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expect(async () => expect((await visitor.goto(at('orchard')))?.status()).toBe(503)).toPass()
  await page.getByRole('button', { name: 'Open the program' }).click()
  const open = await expectConsoleDialog(page, 'Open the program')
  await open.getByLabel('Reason').fill('It is done')
  await open.getByRole('button', { name: 'Open the program' }).click()
  await expect(page.getByText('The program is open', { exact: true })).toBeVisible()
  await expect(async () => expect((await visitor.goto(at('orchard')))?.status()).toBe(200)).toPass()
  await expectFitsPhone(page)
  await openConsolePage(page, '/orchard/outside-systems', 'Outside systems')
  await expectFitsPhone(page)
  await visitor.context().close()
})
