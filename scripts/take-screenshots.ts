import { spawn } from 'node:child_process'
import { chromium, type Page } from '@playwright/test'
import { sampleEmail, samplePassword } from '../src/identity/enrollment/service.ts'
import { chromiumPath } from '../tests/support/chromium.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { openTestServer, withTestRun } from '../tests/support/test-run.ts'
import { startTestServer } from '../tests/support/test-server.ts'
import { buildWeb } from './build.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Takes the screenshots of the README, from an installation of its own with the sample data.

  npm run pictures`

readOptions({}, createUsageExit(usage))

const folder = 'docs/pictures'
const log = (line: string) => process.stdout.write(`${line}\n`)

/** Lets members of a program dine for two months, by the command that the README names. */
async function simulate(env: Record<string, string>): Promise<void> {
  const args = ['scripts/simulate.ts', '--partner', 'skyharbor', '--members', '5', '--days', '60', '--meals', '6']
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the simulation ended with ${code}`)
}

async function signIn(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits for images and fonts, and takes a screenshot of the first screen. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => {})
  await page.evaluate(() => document.fonts.ready.then(() => true))
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
  log(`${folder}/${name}.png`)
}

async function takeScreenshots(at: (host: string, path?: string) => string): Promise<void> {
  const { executablePath, args } = await chromiumPath()
  const browser = await chromium.launch({ executablePath, args })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
    // A visitor who has closed the pop-ups.
    await context.addInitScript(() => {
      if (window.origin === 'null') return
      localStorage.setItem('RN_GENERAL_POPUP', 'welcome,this-is-big,points-plus')
      localStorage.setItem('RN_SSO_MODAL', String(Date.now()))
    })
    const page = await context.newPage()
    await page.goto(at('skyharbor', '/search?restaurantOrCuisine=sushi&location=10001'))
    await takeScreenshot(page, 'skyharbor-search')
    await page.goto(at('beacon', '/search?restaurantOrCuisine=sushi&location=10001'))
    await page.getByRole('main').getByRole('article').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await takeScreenshot(page, 'beacon-merchant')
    for (const program of ['lantern', 'gallonaire', 'orchard']) {
      await page.goto(at(program))
      await takeScreenshot(page, `${program}-home`)
    }
    await signIn(page, at('skyharbor', '/login'), sampleEmail(1), samplePassword)
    await page.waitForURL(/account|\/$/)
    await page.goto(at('skyharbor', '/account/recent_activity'))
    await page.getByRole('main').getByRole('listitem').locator('summary').first().click()
    await takeScreenshot(page, 'skyharbor-activity')
    await signIn(page, at('console'), 'admin@dineback.example', 'lighthouse 9 sardines')
    await page.getByRole('link', { name: 'Content of Orchard Stay Points Dining' }).click()
    await page.getByRole('main').getByRole('link', { name: 'discover', exact: true }).first().click()
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    await takeScreenshot(page, 'studio')
  } finally {
    await browser.close()
  }
}

const shared = await openTestServer()
try {
  await buildWeb(log)
  await withTestRun(['samples'], {}, async () => {
    const database = await createTestDatabase('samples')
    const server = await startTestServer(database.url)
    try {
      await simulate({ DATABASE_URL: database.url, PORT: String(server.port), DATA_DIR: server.dataDir })
      await takeScreenshots((host, path = '/') => `http://${host}.localhost:${server.port}${path}`)
    } finally {
      await server.stop()
    }
  })
} finally {
  await shared.close()
}
