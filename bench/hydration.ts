import { type Browser, chromium } from '@playwright/test'
import { chromiumPath } from '../tests/support/chromium.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { send } from '../tests/support/http.ts'
import { startTestServer } from '../tests/support/test-server.ts'

const programs = (process.env.PROGRAMS ?? 'skyharbor,beacon').split(',')
const paths = { home: '/', search: '/search?location=10001', restaurant: '' }
const runs = Number(process.env.RUNS ?? 5)

interface Figures {
  /** From the navigation to the end of hydration, in milliseconds. */
  hydrated: number
  /** Sum of what tasks after the first paint take beyond 50 ms. */
  blocked: number
  longest: number
}
const columns = ['hydrated', 'blocked', 'longest'] as const satisfies (keyof Figures)[]

/** Runs in the page: collects its long tasks and the time of hydration. */
function record(): void {
  const found = { hydrated: 0, tasks: [] as { from: number; to: number }[] }
  Object.assign(window, { found })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      found.tasks.push({ from: startTime, to: startTime + duration })
    }
  }).observe({ type: 'longtask', buffered: true })
  new MutationObserver(() => {
    if (found.hydrated === 0 && document.documentElement?.dataset.scripted) found.hydrated = performance.now()
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-scripted'] })
}

/** Loads a page in a new profile. Hydration of all parts is over when the browser was idle for half a second. */
async function load(browser: Browser, url: string, slowdown: number): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.addInitScript(record)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForSelector('html[data-scripted]')
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(1000)
    return await page.evaluate(() => {
      const { hydrated, tasks } = (
        window as unknown as { found: { hydrated: number; tasks: { from: number; to: number }[] } }
      ).found
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
      const durations = tasks.map(({ from, to }) => to - Math.max(from, painted)).filter((duration) => duration > 0)
      return {
        hydrated: Math.round(hydrated),
        blocked: Math.round(durations.reduce((sum, duration) => sum + Math.max(0, duration - 50), 0)),
        longest: Math.round(Math.max(0, ...durations)),
      }
    })
  } finally {
    await context.close()
  }
}

const medianOf = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

function line(first: string, cells: readonly (string | number)[]): void {
  process.stdout.write(`${first.padEnd(28)}${cells.map((cell) => String(cell).padStart(10)).join('')}\n`)
}

/**
 * Loads public pages in a browser of the size of a phone, several times each, with the CPU as it is and four times slower,
 * and prints the medians: when the page is hydrated, and how long its scripts block the main thread.
 */
export async function benchHydration(): Promise<void> {
  const database = await createTestDatabase('samples')
  const server = await startTestServer(database.url)
  const browser = await chromium.launch(await chromiumPath())
  try {
    const { merchants } = (
      await send({
        port: server.port,
        host: 'skyharbor.localhost',
        path: '/api/v2/Merchants/Search?location=10001&reservations=true',
      })
    ).json<{ merchants: { id: string }[] }>()
    const pages = { ...paths, restaurant: `/merchants/${merchants[0]?.id}` }
    line('', columns)
    for (const program of programs) {
      for (const [name, path] of Object.entries(pages)) {
        const url = `http://${program}.localhost:${server.port}${path}`
        await load(browser, url, 1)
        for (const slowdown of [1, 4]) {
          const all: Figures[] = []
          for (let run = 0; run < runs; run++) all.push(await load(browser, url, slowdown))
          line(
            `${program}, ${name}, ${slowdown}x`,
            columns.map((column) => medianOf(all.map((figures) => figures[column]))),
          )
        }
      }
    }
  } finally {
    await browser.close()
    await server.stop()
    await database.drop()
  }
}
