import type { Page } from '@playwright/test'
import { send } from '../support/http.ts'
import { advanceClock, at, expect, further, test } from '../support/journey.ts'
import { ownServer } from '../support/journey-servers.ts'

interface Sent {
  eventName: string
  url: string
  merchantId?: string
  channel: string
}

/** Records every tracking event that the page sends. */
async function listen(page: Page): Promise<Sent[]> {
  const sent: Sent[] = []
  await page.route('**/api/Impressions', async (route) => {
    sent.push(...(route.request().postDataJSON() as Sent[]))
    await route.fulfill({ status: 202, json: { accepted: 1 } })
  })
  return sent
}
const views = (sent: Sent[]) => sent.filter(({ eventName }) => eventName === 'PageView').map(({ url }) => url)

test('ROUTE-032 TRACK-008 TRACK-007 a page counts after half a second, and one that was left before does not', async ({
  page,
}) => {
  await page.clock.install()
  const sent = await listen(page)
  await page.goto(at('skyharbor', '/earn'))
  await page.waitForFunction(() => document.querySelector('footer button'))
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Program terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Program terms' })).toBeVisible()
  await page.clock.runFor(499)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy, in plain words' })).toBeVisible()
  await page.clock.runFor(499)
  await page.clock.runFor(5_000)
  await expect.poll(() => views(sent)).toEqual(['/earn', '/privacy'])
  expect(sent[0]).toMatchObject({ channel: 'web' })
})

test('TRACK-009 TRACK-011 a restaurant counts once four fifths of it were in view for a moment', async ({ page }) => {
  await page.clock.install()
  const sent = await listen(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('gallonaire'))
  await page.waitForFunction(() => document.querySelector('footer button'))
  const seen = () => sent.filter(({ eventName }) => eventName === 'CarouselImpression').length
  const slide = page.getByRole('region', { name: 'Burgers, big ones' }).getByRole('article').first()
  const merchant = await slide.getAttribute('data-merchant')
  const show = (share: number) =>
    slide.evaluate((card, part) => {
      const { top, height } = card.getBoundingClientRect()
      window.scrollBy({ top: top - window.innerHeight + height * part, behavior: 'instant' })
    }, share)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await show(0.7)
  await advanceClock(page, 3_000)
  expect(sent.filter(({ merchantId }) => merchantId === merchant)).toHaveLength(0)
  await show(0.9)
  await advanceClock(page, 3_000)
  await expect.poll(() => sent.filter(({ merchantId }) => merchantId === merchant).length).toBe(1)
  expect(seen()).toBeGreaterThan(0)
})

test('API-021 leaving a page sends the events that were not sent yet', async ({ page }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    navigator.sendBeacon = (url, body) => {
      ;(body as Blob).text().then((text) => sessionStorage.setItem('beacon', `${url} ${(body as Blob).type} ${text}`))
      return true
    }
  })
  await page.goto(at('lantern', '/earn'))
  await page.waitForFunction(() => document.querySelector('footer button'))
  await page.clock.runFor(900)
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  const beacon = () => page.evaluate(() => sessionStorage.getItem('beacon') ?? '')
  await expect.poll(beacon).toMatch(/^\/api\/Impressions application\/json \[\{"eventName":"PageView"/)
})

test.describe('when tracking fails', () => {
  test.use({ tolerated: [/status of (401|500)|ERR_FAILED/, { option: true }] as never })
  test('TRACK-010 TRACK-015 a failure of tracking, or of an advertiser, does not affect the page', async ({ page }) => {
    await page.clock.install()
    await page.route('**/api/Impressions', (route) => route.fulfill({ status: 500, json: {} }))
    await page.route('https://tags.example/**', (route) => route.abort())
    // The policy of the page and the file of the program, as of an installation with advertising tags.
    await page.route(at('beacon', '/earn'), async (route) => {
      const { text, headers } = await send({ port: ownServer().port, host: 'beacon.localhost', path: '/earn' })
      const policy = String(headers['content-security-policy']).replace(/; require-trusted-types-for.*$/, '')
      await route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': policy }, body: text })
    })
    await page.addInitScript(() => {
      const { json } = Response.prototype
      Response.prototype.json = async function () {
        const value = await json.call(this)
        if (value.site) value.site.adTagUrl = 'https://tags.example/tag.js'
        return value
      }
    })
    const request = page.waitForRequest('https://tags.example/tag.js')
    await page.goto(at('beacon', '/earn'))
    await request
    await advanceClock(page, 2_800)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Each page has its own tag only.
    const tags = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('script[data-tag]')].map(({ dataset }) => dataset.tag),
      )
    expect(await tags()).toEqual(['BEA-earn'])
    await page.getByRole('contentinfo').getByRole('link', { name: 'Restaurants by city' }).click()
    await expect.poll(tags).toEqual(['BEA-restaurants'])
  })
})

test('Case 46 an address full of marketing values does not lock its visitor out', further, async ({ page }) => {
  const long = 'x'.repeat(2_000)
  const names = ['utm_term', 'utm_medium', 'utm_campaign', 'utm_source', 'utm_content', 'referrer', 'source']
  await page.goto(at('skyharbor', `/?${names.map((name) => `${name}=${long}`).join('&')}`))
  await page.waitForFunction(() => document.cookie.includes('utm_term'))
  expect((await page.goto(at('skyharbor', '/search')))?.status()).toBe(200)
})

test.describe('a visitor with a privacy signal', () => {
  test('is not tracked: no events, no marketing cookies', async ({ page, context }) => {
    await page.clock.install()
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
    const sent = await listen(page)
    await page.goto(at('gallonaire', '/?utm_source=mail&publicId=AAAAAAAAAAAAAAAAAAAAAA'))
    await advanceClock(page, 3_500)
    await page.goto('about:blank')
    expect(sent).toEqual([])
    const names = (await context.cookies()).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('utm_'))).toEqual([])
    // The invitation was sent to this visitor, and is remembered.
    expect(names).toContain('public_id')
  })
})
