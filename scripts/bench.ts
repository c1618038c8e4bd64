import { withTestRun } from '../tests/support/test-run.ts'
import { createUsageExit, readArguments } from './command-line.ts'

const usage = `Measures search, pages, relevance, floods, the feed and the console, as ratios.

  npm run bench -- [search | pages | lighthouse | hydration | flood | ingest | stored | console | pools | relevance RESTAURANTS QUERIES]`

const stop: (problem: string) => never = createUsageExit(usage)
const [what = 'search', ...files] = readArguments({}, stop).positionals
const [restaurants, queries] = files
/** Each loads what it measures, which takes seconds for all of them. */
const benchmarks: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  search: async () => (await import('../bench/search.ts')).benchSearch,
  pages: async () => (await import('../bench/pages.ts')).benchPages,
  lighthouse: async () => (await import('../bench/lighthouse.ts')).benchLighthouse,
  hydration: async () => (await import('../bench/hydration.ts')).benchHydration,
  flood: async () => (await import('../bench/flood.ts')).benchFlood,
  ingest: async () => (await import('../bench/ingest.ts')).benchIngest,
  stored: async () => (await import('../bench/ingest.ts')).benchStored,
  console: async () => (await import('../bench/console.ts')).benchConsole,
  pools: async () => (await import('../bench/pools.ts')).benchPools,
}
const loadBenchmark = Object.hasOwn(benchmarks, what) ? benchmarks[what] : undefined
// Durable, so that benchmarks measure the settings of an installation.
if (loadBenchmark) await withTestRun(['schema', 'samples'], { durable: true }, await loadBenchmark())
else if (what === 'relevance' && restaurants && queries)
  (await import('../bench/relevance.ts')).benchRelevance(restaurants, queries)
else stop(`There is no benchmark ${what} with these files.`)
