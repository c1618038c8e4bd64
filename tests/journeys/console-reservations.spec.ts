import { asOwner, callApi, expect, findMerchant, further, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'
import { nearTables, nextDate, openAtSeven } from '../support/tables-to-book.ts'

test(
  'CON-161 CON-162 CON-163 a reservation is marked as a no-show, confirmed and canceled',
  further,
  async ({ page, browser }) => {
    const member = await (await browser.newContext()).newPage()
    const email = await joinViaApi(member, 'skyharbor')
    const merchant = await findMerchant(member, nearTables, openAtSeven)
    const body = { merchantId: merchant.id, date: nextDate(), time: '19:00', partySize: 2 }
    const { id } = await callApi(member, '/api/Member/Reservations', { method: 'POST', body })
    await member.context().close()
    // As after its time.
    await asOwner(
      `update reservations set starts_at = now() - interval '1 day', clear_until = now() - interval '22 hours'
     where public_id = $1`,
      [id],
    )
    await openConsole(page)
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await openConsolePage(page, `/skyharbor/reservations?member=${encodeURIComponent(email)}`, 'Reservations')
    await expect(page.getByText('1 in all')).toBeVisible()
    await expectFitsPhone(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('region', { name: 'Reservations' }).getByRole('link').first().click()
    await expectConsolePage(page, new RegExp(`^${merchant.name}, `))
    await page.getByRole('button', { name: 'Mark no-show' }).click()
    await expect(page.getByText('Marked as a no-show.')).toBeVisible()
    await page.getByRole('button', { name: 'They came after all' }).click()
    await expect(page.getByText('The mark was taken back.')).toBeVisible()

    // As when the provider's answer was lost, before its time.
    await asOwner(
      `update reservations set status = 'booking', confirmation = null, starts_at = now() + interval '9 days',
       clear_until = now() + interval '9 days 2 hours' where public_id = $1`,
      [id],
    )
    await page.reload()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('It is confirmed.')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel it' }).click()
    const dialog = await expectConsoleDialog(page, 'Cancel this reservation')
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await page.keyboard.type('The member called')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('It is canceled.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Canceled', { exact: true }).first()).toBeVisible()
    await expectAccessibleInBoth(page)
    await expectFitsPhone(page)
  },
)
