import type { Page } from '@playwright/test'
import pg from 'pg'
import { readPageData } from '../../src/app/web/page-data.ts'
import { defaultMessages } from '../../src/default-messages.ts'
import { at, expect, further, test } from '../support/journey.ts'
import { ownServer } from '../support/journey-servers.ts'
import { scaled } from '../support/scale.ts'
import { xssVectors } from '../support/xss-vectors.ts'

// Invalid content is omitted and logged to the console; no other error may occur.
test.use({ popUps: true, tolerated: [/status of (401|404)/, { option: true }] as never })
test.setTimeout(300_000)

const partner = 'orchard'
const attacker = 'someone with database access'

/** Writes content without any validation, as direct database access could. */
class ContentInjector {
  readonly #client = new pg.Client({ connectionString: ownServer().databaseUrl })
  #version = 1_000

  open = () => this.#client.connect()

  async put(entries: Record<string, Record<string, unknown>>): Promise<void> {
    this.#version++
    await this.#client.query('begin')
    for (const [name, fields] of Object.entries(entries)) {
      const [collection, slug] = name.split('/')
      const { rows } = await this.#client.query(
        `insert into content_versions (partner_id, collection, slug, version, fields, saved_by)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [partner, collection, slug, this.#version, JSON.stringify(fields).replaceAll('\\u0000', ''), attacker],
      )
      await this.#client.query(
        'insert into content_releases (partner_id, version_id, released_by) values ($1, $2, $3)',
        [partner, rows[0].id, attacker],
      )
    }
    await this.#client.query('commit')
  }

  async close(): Promise<void> {
    await this.#client.query('rollback')
    await this.#client.query('begin')
    // Every process is notified of the change; it also removes the traces, including the drafts.
    await this.#client.query(
      'update content_releases set withdrawn_by = $1, withdrawn_at = now() where released_by = $1',
      [attacker],
    )
    await this.#client.query('delete from content_releases where released_by = $1', [attacker])
    await this.#client.query('delete from content_versions where saved_by = $1', [attacker])
    await this.#client.query('commit')
    await this.#client.end()
  }
}

/** Records scripts that ran and requests to other hosts. */
async function watch(page: Page) {
  const seen = { ran: 0, elsewhere: [] as string[] }
  await page.exposeFunction('__ran', () => {
    seen.ran++
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && !url.hostname.endsWith('localhost')) seen.elsewhere.push(request.url())
  })
  page.on('dialog', (dialog) => {
    seen.ran++
    void dialog.dismiss()
  })
  return seen
}

const blocks = (vector: string) => [
  { type: 'title', text: vector },
  { type: 'body_text', text: vector },
  { type: 'button', text: vector, url: '/earn' },
  { type: 'standalone_link', text: 'x', url: vector },
  { type: 'merchant_carousel', headline: vector, body: vector, query: vector },
]

/** Returns every public field of every collection, filled with a vector. */
function everywhere(vector: string): Record<string, Record<string, unknown>> {
  const items = [
    { type: 'title', text_desktop: vector, text_mobile: vector },
    { type: 'body_text', text_desktop: vector, text_mobile: vector },
    { type: 'button', text_desktop: vector, text_mobile: vector, url: vector },
  ]
  const links = [
    { text: vector, url: '/earn' },
    { text: 'x', url: vector },
  ]
  return {
    'discover/discover': {
      user_states: ['default'],
      browser_title: vector,
      banner: {
        enable_banner: true,
        image: '/images/hero.svg',
        image_mobile: vector,
        image_mobile_alt_text: vector,
        image_x_position: vector,
        image_y_position: '50%',
        include_welcome_message: true,
        include_prospect_email: true,
      },
      banner_text: items,
      main_column: blocks(vector),
      side_column: blocks(vector),
      disclaimer: vector,
      prospect_form: { label: vector, button_label: vector, placeholder: vector },
    },
    '*/navbar': {
      links: [
        { text_desktop: vector, text_mobile: vector, url: '/earn' },
        { text_desktop: 'x', url: vector },
      ],
    },
    '*/footer': { primary_links: links, secondary_links: links, disclaimer: vector },
    '*/earn': {
      banners: [{ type: 'earn', code: 'x', banner_text: items, url: '/earn', image: vector, app_text: vector }],
    },
    'announcement_banner/announcement': {
      banner_copy: [
        { type: 'text', copy: vector },
        { type: 'link', copy: vector, url: vector },
      ],
      tooltip_copy: vector,
    },
    'popup/points-plus': { title: vector, body_text: vector, url: vector },
    'earn_banner/earn_banner': { text: vector },
    'sidebar/search': { page_text: vector },
    'surveys/stay': { id: 'orc-stay', text: vector, delay_timeout: 0, url_allow_list: [], url_disallow_list: [] },
    'copy/messages': Object.fromEntries(Object.keys(defaultMessages).map((key) => [key, vector])),
  }
}

const version = (page: Page) =>
  page.evaluate(async () => (await (await fetch('/api/ProgramVersion')).json()).version as string)

/** Waits until every page is rendered from the injected content. */
async function untilShown(page: Page, before: string): Promise<string> {
  await expect.poll(() => version(page)).not.toBe(before)
  return version(page)
}

test('Case 22 no vector of the corpus runs through any field of content, and no other host gets a request', async ({
  page,
}) => {
  const injector = new ContentInjector()
  await injector.open()
  const seen = await watch(page)
  expect(xssVectors.length).toBeGreaterThanOrEqual(100)
  try {
    await page.goto(at(partner, '/error'))
    let shown = await version(page)
    // Every vector in every kind of block.
    for (let from = 0; from < xssVectors.length; from += 10) {
      const columns = xssVectors.slice(from, from + 10).flatMap(blocks)
      await injector.put({
        'earn_details/poisoned': { url: '/earn/poisoned', main_column: columns, disclaimer: xssVectors[from] },
      })
      shown = await untilShown(page, shown)
      const response = await page.goto(at(partner, '/earn/poisoned'))
      expect(response?.status()).toBe(200)
    }
    // Every vector in every other field, three at a time; in short runs every third group.
    for (let from = 0; from < xssVectors.length; from += scaled({ full: 3, short: 9 })) {
      await injector.put(everywhere(xssVectors.slice(from, from + 3).join('')))
      shown = await untilShown(page, shown)
      await page.goto(at(partner, from % 2 ? '/earn' : '/'))
      await page.waitForFunction(() => document.readyState === 'complete')
      const hrefs = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ protocol, hostname }) =>
          [protocol, hostname].join('//'),
        ),
      )
      expect(hrefs.filter((href) => !/^(https?|mailto|tel):/.test(href) || href.includes('evil.example'))).toEqual([])
      expect(new URL(page.url()).hostname).toBe(`${partner}.localhost`)
    }
    await page.keyboard.press('Tab')
    expect(seen).toEqual({ ran: 0, elsewhere: [] })
  } finally {
    await injector.close()
  }
})

test(
  'Case 22 counterpart: the same corpus without sanitizing and without a policy does run',
  further,
  async ({ page }) => {
    const seen = await watch(page)
    const notRun = [...xssVectors]
    await page.route('**/*', (route) => {
      const url = new URL(route.request().url())
      if (url.hostname !== 'saboteur.localhost') return route.abort()
      const body = notRun[Number(url.searchParams.get('n'))] ?? ''
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: `<!doctype html><body><div>${body}</div>` })
    })
    page.removeAllListeners('console')
    page.removeAllListeners('pageerror')
    for (let n = 0; n < notRun.length; n++) {
      // The frame's method does not wait for hydration, which these pages never have.
      await page
        .mainFrame()
        .goto(`http://saboteur.localhost/?n=${n}`, { waitUntil: 'load' })
        .catch(() => {})
    }
    expect(seen.ran).toBeGreaterThan(20)
  },
)

test('API-003 Case 38 no element of content redirects a call to another origin', async ({ page }) => {
  const seen = await watch(page)
  // Counterpart: without the control, the page would take its data from here.
  const naive = (root: Document) => root.getElementById('page-data')?.textContent
  await page.route('http://saboteur.localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<a id=page-data>{"boot":{"apiBase":"https://evil.example"}}</a>',
    }),
  )
  await page.goto('http://saboteur.localhost/')
  expect(await page.evaluate(`(${naive})(document)`)).toContain('https://evil.example')
  await page.goto(at('orchard', '/search?location=10001'))
  await page.evaluate(() =>
    document.body.prepend(
      Object.assign(document.createElement('a'), {
        id: 'page-data',
        type: 'application/json',
        textContent: '{"boot":{"apiBase":"https://evil.example"}}',
      }),
    ),
  )
  expect(await page.evaluate(`(${readPageData})(document).boot.apiBase`)).toBe('')
  await page.goto(at('orchard', '/earn'))
  expect(seen.elsewhere).toEqual([])
})
