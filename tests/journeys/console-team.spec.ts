import { at, expect, further, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { newEmail, openConsole } from '../support/journey-members.ts'

// What is refused on purpose.
test.use({ tolerated: /status of (400|401|404|409|422)/ })

test('CON-220 CON-221 CON-222 CON-224 an operator is invited with a role of its own, changed, disabled and enabled', async ({
  page,
}) => {
  const role = `desk-${Date.now().toString(36)}`
  const email = newEmail()
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, '/team/roles', 'Roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const newRole = await expectConsoleDialog(page, 'New role')
  await expect(newRole.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('No such name')
  await newRole.getByRole('button', { name: 'Save' }).click()
  await expect(newRole.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleInBoth(page)
  await newRole.getByRole('textbox', { name: 'Name' }).fill(role)
  await newRole.getByRole('checkbox').first().check()
  await newRole.getByRole('button', { name: 'Save' }).click()
  await expect(newRole).toBeHidden()
  await page.getByRole('button', { name: `Change ${role}` }).click()
  const change = await expectConsoleDialog(page, `Change ${role}`)
  await change.getByRole('checkbox').nth(1).check()
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change).toBeHidden()
  await expect(page.getByRole('button', { name: `Change ${role}` })).toBeFocused()

  await openConsolePage(page, '/team', 'Team')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invite = await expectConsoleDialog(page, 'Invite an operator')
  await expect(invite.getByLabel('Email address')).toBeFocused()
  await page.keyboard.type(email)
  await invite.getByLabel('Name').fill('Ines Desk')
  await invite.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: role }).click()
  await invite.getByRole('button', { name: 'Invite' }).click()
  const secrets = await expectConsoleDialog(page, 'For Ines Desk')
  await expect(secrets.getByText('This is shown only now.')).toBeVisible()
  // What it shows cannot be shown again.
  await page.keyboard.press('Escape')
  await expect(secrets).toBeVisible()
  await secrets.getByRole('button', { name: 'Done' }).click()
  await expect(secrets).toBeHidden()

  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('link', { name: 'Ines Desk' })
    .click()
  await expectConsolePage(page, 'Ines Desk')
  const act = async (button: string, title: string, confirm: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = await expectConsoleDialog(page, title)
    await dialog.getByLabel('Reason').fill('Ticket 4711')
    await dialog.getByRole('button', { name: confirm, exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  await act('Change roles', 'Roles of Ines Desk', 'Change roles')
  await act('End sessions', 'End the sessions of Ines Desk', 'End sessions')
  await act('New password', 'New password for Ines Desk', 'Replace the password')
  await secrets.getByRole('button', { name: 'Done' }).click()
  await act('New passkey code', 'New passkey code for Ines Desk', 'Remove passkeys and make a code')
  await secrets.getByRole('button', { name: 'Done' }).click()
  await act('Disable', 'Disable Ines Desk', 'Disable')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'New password' })).toBeHidden()
  await act('Enable', 'Enable Ines Desk', 'Enable')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'New password' })).toBeVisible()
  await expectFitsPhone(page)

  // A role that somebody has stays.
  await page.goto(at('console', '/team/roles'))
  await page.getByRole('button', { name: `Remove ${role}` }).click()
  const remove = await expectConsoleDialog(page, `Remove ${role}`)
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(remove.getByRole('alert')).toBeFocused()
  await expectAccessibleInBoth(page)
  await expectFitsPhone(page)
})

test(
  'CON-200 CON-201 CON-202 CON-203 the audit log is searched, an entry opened and the list exported',
  further,
  async ({ page }) => {
    const reason = `Reason ${Date.now().toString(36)}`
    await openConsole(page)
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await page.goto(at('console', '/lantern/flags'))
    for (const to of ['on', 'off']) {
      await page.getByRole('button', { name: `Switch ${to}: Joining closed` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill(reason)
      await dialog.getByRole('button', { name: `Switch ${to}` }).click()
      await expect(page.getByText(`Joining closed is ${to}.`)).toBeVisible()
    }
    await openConsolePage(page, '/lantern/audit', 'Audit log')
    await page.keyboard.press('/')
    await expect(page.getByLabel('Person')).toBeFocused()
    await page.keyboard.type('nobody of this name')
    await expect(page.getByText('Nothing matches these filters')).toBeVisible()
    await expectAccessibleInBoth(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByRole('row', { name: new RegExp(reason) })).toHaveCount(2)
    await page
      .getByRole('row', { name: new RegExp(reason) })
      .first()
      .getByRole('link')
      .first()
      .click()
    await expect(page.getByRole('table', { name: 'Changes' })).toBeVisible()
    await expectAccessibleInBoth(page)
    await expect(page.getByText(reason)).toBeVisible()
    await expectFitsPhone(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goBack()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    await openConsolePage(page, '/audit-log', 'Audit log of all programs')
    await expectFitsPhone(page)
  },
)
