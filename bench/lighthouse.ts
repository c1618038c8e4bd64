import { chromiumPath } from '../tests/support/chromium.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { send } from '../tests/support/http.ts'
import { startTestServer } from '../tests/support/test-server.ts'

const programs = (process.env.PROGRAMS ?? 'skyharbor,gallonaire,beacon,orchard,lantern').split(',')
const paths = { home: '/', search: '/search?location=10001', restaurant: '', join: '/join', 'sign in': '/login' }
const runs = Number(process.env.RUNS ?? 3)

// Not a dependency: it is 180 MB that only this benchmark needs.
const packages = ['lighthouse', 'chrome-launcher']
const install = 'npm install --no-save lighthouse@13.5.0'

interface Audit {
  numericValue?: number
}
interface Report {
  categories: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number | null }>
  audits: Record<string, Audit>
}

type Figures = Record<(typeof columns)[number], number>
const columns = ['perf', 'a11y', 'best', 'seo', 'FCP ms', 'LCP ms', 'TBT ms', 'CLS'] as const

function figuresOf({ categories, audits }: Report): Figures {
  const score = (name: keyof Report['categories']) => Math.round((categories[name].score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    perf: score('performance'),
    a11y: score('accessibility'),
    best: score('best-practices'),
    seo: score('seo'),
    'FCP ms': Math.round(value('first-contentful-paint')),
    'LCP ms': Math.round(value('largest-contentful-paint')),
    'TBT ms': Math.round(value('total-blocking-time')),
    CLS: Number(value('cumulative-layout-shift').toFixed(3)),
  }
}

const medianOf = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

function line(first: string, cells: readonly (string | number)[]): void {
  process.stdout.write(`${first.padEnd(24)}${cells.map((cell) => String(cell).padStart(9)).join('')}\n`)
}

/**
 * Runs Lighthouse on pages of each program as a mid-range phone on a slow network, several times each, and prints the
 * medians. Says how to install Lighthouse where it is missing.
 */
export async function benchLighthouse(): Promise<void> {
  const [tool, launcher] = await Promise.all(packages.map((name) => import(name))).catch(() => [])
  if (!tool) {
    process.stdout.write(`Lighthouse is not installed. This installs it: ${install}\n`)
    process.exitCode = 1
    return
  }
  const database = await createTestDatabase('samples')
  const server = await startTestServer(database.url)
  const { executablePath, args } = await chromiumPath()
  const chrome = await launcher.launch({ chromePath: executablePath, chromeFlags: ['--headless=new', ...args] })
  try {
    const origin = (program: string) => `http://${program}.localhost:${server.port}`
    const found = await send({
      port: server.port,
      host: 'skyharbor.localhost',
      path: '/api/v2/Merchants/Search?location=10001',
    })
    const { merchants } = found.json<{ merchants: { id: string }[] }>()
    const pages = { ...paths, restaurant: `/merchants/${merchants[0]?.id}` }
    line('', columns)
    for (const program of programs) {
      for (const [name, path] of Object.entries(pages)) {
        const all: Figures[] = []
        for (let run = 0; run < runs; run++) {
          const { lhr } = await tool.default(origin(program) + path, { port: chrome.port, logLevel: 'error' })
          all.push(figuresOf(lhr))
        }
        line(
          `${program}, ${name}`,
          columns.map((column) => medianOf(all.map((figures) => figures[column]))),
        )
      }
    }
  } finally {
    chrome.kill()
    await server.stop()
    await database.drop()
  }
}
