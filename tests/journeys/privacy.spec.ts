import { readFileSync } from 'node:fs'
import { at, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test('A11Y-010 the privacy page and the effect of an opt-out have no axe violation, and the stored data arrives as a file', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/privacy'))
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await (await download).path()
  expect(JSON.parse(readFileSync(file, 'utf8')).data.members[0].email).toBe(email)
  await page.getByLabel('Offers by email').click()
  await expect(page.getByRole('dialog', { name: 'You would earn less' })).toBeVisible()
  await expectAccessible(page)
})
