import { spawn } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { at } from '../support/journey.ts'
import { testCard } from '../support/journey-cards.ts'
import { newEmail } from '../support/journey-members.ts'
import { ownServer } from '../support/journey-servers.ts'
import { recordCardNumber } from '../support/typed-card-numbers.ts'
import type { Driver } from './driver.ts'
import { startFirefox } from './firefox.ts'
import type { BrowserName } from './installed.ts'
import { createUser, keys } from './user.ts'
import { startWebKit } from './webkit.ts'

const starts: Record<BrowserName, () => Promise<Driver>> = { firefox: startFirefox, webkit: startWebKit }
const password = 'sourdough 4 breakfast'
const frame = 'Your card'

/** Programs that differ in identity, rewards and layout of their pages; each runs at another width. */
const programs = [
  { partner: 'skyharbor', width: 1280, popUp: null, numberField: 'Skyharbor number', reward: 'miles' },
  { partner: 'gallonaire', width: 375, popUp: 'This is BIG', numberField: null, reward: '¢' },
]

/** Sends an authorization and its clearing, with the command that the README names. */
async function dine(partner: string, member: string, merchant: string): Promise<void> {
  const { port, databaseUrl, dataDir } = ownServer()
  const args = ['scripts/dine.ts', '--partner', partner, '--member', member, '--merchant', merchant]
  const env = { ...process.env, PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
}

let driver: Driver | undefined
test.afterEach(async ({ browserName: _ }, info) => {
  if (driver && info.status !== info.expectedStatus) {
    await info.attach('screenshot', { body: await driver.screenshot(), contentType: 'image/png' })
    await info.attach('errors of the page', { body: driver.errors.join('\n') })
  }
  await driver?.close()
  driver = undefined
})

for (const { partner, width, popUp, numberField, reward } of programs)
  test(`a visitor of ${partner} searches, joins, links a card, dines and sees the reward`, async ({
    browserName: _,
  }, info) => {
    const browser = info.project.name as BrowserName
    const opened = await starts[browser]()
    driver = opened
    info.annotations.push({ type: 'version', description: opened.version })
    const user = createUser(opened, { width, name: `${browser}-${partner}` })
    const email = newEmail()
    const card = testCard()
    recordCardNumber(card)

    await test.step('home', async () => {
      await user.resize(width)
      await user.open(at(partner))
      await user.look('home')
    })

    const merchant = await test.step('search, and open a result', async () => {
      await user.click({ role: 'link', name: 'Find a restaurant', within: 'header' })
      await user.isAt('/search')
      if (popUp !== null) {
        const findTitle = () => document.querySelector('dialog[open] h2')?.textContent ?? null
        expect(await user.read('a pop-up', findTitle)).toBe(popUp)
        await user.key(keys.escape)
        await user.read('no pop-up', () => (document.querySelector('dialog[open]') ? null : true))
      }
      await user.type({ role: 'textbox', name: 'Restaurant or cuisine' }, 'sushi')
      await user.type({ role: 'textbox', name: 'City, state or ZIP code' }, '10001')
      // On a phone the suggestions cover the button.
      await user.key(keys.enter)
      await user.isAt(/location=10001&restaurantOrCuisine=sushi/)
      await user.sees(/restaurants near New York, NY 10001/)
      await user.look('search')
      const findName = () => document.querySelector('article h2, article h3')?.textContent ?? null
      const name = await user.read('a result', findName)
      await user.click({ role: 'link', name, within: 'article' })
      const path = await user.isAt(/^\/merchants\//)
      const findTitle = () => document.querySelector('h1:not(.visually-hidden)')?.textContent ?? null
      expect(await user.read('the page of the restaurant', findTitle)).toBe(name)
      await user.look('restaurant')
      return { name, id: path.split('/').at(-1) as string }
    })

    await test.step('join', async () => {
      await user.click({ role: 'link', name: 'Join', within: 'header' })
      await user.isAt(/^\/join/)
      await user.look('join')
      const fields = {
        ...(numberField && { [numberField]: `SKY${String(Date.now()).slice(-8)}` }),
        'First name': 'Ada',
        'Last name': 'Lovelace',
        'Email address': email,
        'ZIP code': '10001',
        Password: password,
        'Confirm password': password,
      }
      for (const [name, text] of Object.entries(fields)) await user.type({ role: 'textbox', name }, text)
      await user.click({ role: 'checkbox', name: 'I accept the terms' })
      await user.click({ role: 'button', name: 'Continue to your card' })
      await user.isAt(/^\/add_card/)
    })

    await test.step('sign out and in', async () => {
      await user.click({ role: 'link', name: 'Sign out', within: 'header' })
      await user.isAt('/')
      await user.sees('You have been signed out.')
      await user.click({ role: 'link', name: 'Sign in', within: 'header' })
      await user.isAt('/login')
      await user.type({ role: 'textbox', name: 'Email address' }, email)
      await user.type({ role: 'textbox', name: 'Password' }, password)
      await user.key(keys.enter)
      await user.isAt('/add_card')
    })

    await test.step('link a card in the frame of the vault', async () => {
      await user.type({ role: 'textbox', name: 'Card number', frame }, card)
      await user.key(keys.tab, frame)
      await user.key('12/30', frame)
      await user.sees('Card complete.', frame)
      await user.click({ role: 'checkbox', name: 'I link this card' })
      await user.click({ role: 'button', name: 'Link card' })
      await user.isAt('/card_added')
      await user.sees(`ending in ${card.slice(-4)}`)
      await user.click({ role: 'link', name: 'Go to your account' })
      await user.sees('Hello, Ada')
    })

    await test.step('dine: the open page shows the reward by itself', async () => {
      await user.open(at(partner, '/account/recent_activity'))
      await user.sees('No meals yet')
      await dine(partner, email, merchant.id)
      await user.sees(merchant.name)
      await user.sees('$42.10')
      await user.sees(reward)
      await user.click({ role: 'button', name: 'Why?', within: 'main' })
      await user.look('activity')
    })

    await test.step('sign out', async () => {
      await user.click({ role: 'button', name: 'Menu', within: 'header' })
      await user.click({ role: 'link', name: 'Sign out', within: '#main-menu' })
      await user.isAt('/')
      await user.sees('You have been signed out.')
    })

    expect(opened.errors).toEqual([])
  })
