import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { at, expect, further, test } from '../support/journey.ts'
import { join } from '../support/journey-members.ts'

// These tests violate the policies on purpose, and the browser logs that.
test.use({ tolerated: /status of (401|403|404)|Content Security Policy|Refused to|ERR_BLOCKED/ })

test('LINK-031 Case 14 of 1,000 forged card messages none is accepted, and a valid one is', async ({ page }) => {
  // Before the page's own listener: browsers call the listeners of a message in the order of their registration.
  await page.addInitScript(() =>
    window.addEventListener('message', (event) => {
      const isUnheard = document.documentElement.hasAttribute('data-frame-unheard')
      if (isUnheard && !('isForged' in event)) event.stopImmediatePropagation()
    }),
  )
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
  const frame = page.frameLocator('iframe[title="Your card"]')
  await expect(frame.getByLabel('Card number')).toBeVisible()
  await page.getByLabel(/I link this card/).check()

  // The page's reaction to a message: with a card it would submit, without one it requires the number.
  const forge = (kind: string, rounds: number) =>
    page.evaluate(
      ([how, count]) => {
        const iframe = document.querySelector('iframe') as HTMLIFrameElement
        const vault = new URL(iframe.src).origin
        const good = JSON.stringify({
          type: 'dineback-card',
          encryptedCardNumber: 'x'.repeat(80),
          lastFour: '1111',
          cardType: 'VISA',
        })
        const shapes = [
          '{}',
          'null',
          '[]',
          '{"type":"dineback-card"}',
          `${good}x`,
          good.replace('1111', '11'),
          good.replace('VISA', 'JCB'),
          good.replace('}', ',"more":1}'),
        ]
        for (let round = 0; round < Number(count); round++) {
          const event = {
            origin: {
              origin: ['null', 'https://evil.example', `${vault}.evil.example`, vault.replace('http', 'https')][
                round % 4
              ] as string,
              source: iframe.contentWindow,
              data: good,
            },
            source: { origin: vault, source: round % 2 ? window : null, data: good },
            shape: { origin: vault, source: iframe.contentWindow, data: shapes[round % shapes.length] as string },
            true: { origin: vault, source: iframe.contentWindow, data: good },
          }[how as 'origin' | 'source' | 'shape' | 'true']
          window.dispatchEvent(Object.assign(new MessageEvent('message', event), { isForged: true }))
        }
      },
      [kind, String(rounds)],
    )
  for (const kind of ['origin', 'source', 'shape']) {
    await forge(kind, 334)
    await page.getByRole('button', { name: 'Link card' }).press('Enter')
    await expect(page.getByRole('alert')).toContainText('Please enter your credit card number.')
  }
  // Counterpart: a genuine message is accepted, so the forgery was the reason.
  // The empty frame reports at each change of focus that it has no card. Its reports must not replace that message.
  await page.evaluate(() => document.documentElement.setAttribute('data-frame-unheard', ''))
  await forge('true', 1)
  await page.getByRole('button', { name: 'Link card' }).click()
  await expect(page.getByRole('alert')).toContainText('No card could be linked.')
})

test('Case 16 neither the app nor the vault can be framed by another page', async ({ page }) => {
  const evil = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/open') return response.end('open to all')
    const open = `http://other.localhost:${(evil.address() as AddressInfo).port}/open`
    const frames = { app: at('skyharbor', '/login'), vault: at('vault', '/frame'), open }
    response.end(
      Object.entries(frames)
        .map(([name, src]) => `<iframe name="${name}" src="${src}"></iframe>`)
        .join(''),
    )
  })
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done))
  try {
    await page.goto(`http://evil.localhost:${(evil.address() as AddressInfo).port}/`, { waitUntil: 'networkidle' })
    const shown = (name: string) => (page.frame({ name })?.url() ?? '').includes('localhost')
    // Counterpart: the third page has no policy and is shown in the frame.
    expect(['app', 'vault', 'open'].map(shown)).toEqual([false, false, true])
  } finally {
    evil.close()
  }
})

test('the content security policy blocks injected markup and scripts', async ({ page }) => {
  await page.goto(at('lantern'))
  // The browser writes each rejection to the console.
  page.removeAllListeners('console')
  const found = await page.evaluate(async () => {
    const [image, text, script] = ['img', 'div', 'script'].map((name) => document.createElement(name)) as HTMLElement[]
    const ways = [
      () => text?.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.__ran = true">'),
      () => image?.setAttribute('onerror', 'window.__ran = true'),
      () => script?.append('window.__ran = true'),
      () => Object.assign(script as HTMLElement, { src: 'https://evil.example/a.js' }),
      () => document.body.append(text as Node, image as Node, script as Node),
      () => image?.setAttribute('src', 'x'),
    ]
    const rejected = ways.map((way) => {
      try {
        way()
        return false
      } catch {
        return true
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { rejected, ran: '__ran' in window, src: script?.getAttribute('src') }
  })
  // A text in a script element is rejected when it would run.
  expect(found).toEqual({ rejected: [true, true, false, true, false, false], ran: false, src: null })
})

test('no page evaluates text as code, which its policy forbids', further, async ({ page }) => {
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
  })
  for (const path of ['/', '/join', '/login', '/search?location=10001']) {
    await page.goto(at('gallonaire', path))
    await page.waitForLoadState('networkidle')
    const found = await page.evaluate(() => (window as unknown as { violations: string[] }).violations)
    expect([path, found]).toEqual([path, []])
  }
})
