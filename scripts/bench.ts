import { benchFlood } from '../bench/flood.ts'
import { benchHydration } from '../bench/hydration.ts'
import { benchIngest, benchStored } from '../bench/ingest.ts'
import { benchLighthouse } from '../bench/lighthouse.ts'
import { benchPages } from '../bench/pages.ts'
import { benchPools } from '../bench/pools.ts'
import { benchRelevance } from '../bench/relevance.ts'
import { benchSearch } from '../bench/search.ts'
import { withTestRun } from '../tests/support/test-run.ts'
import { createUsageExit, readArguments } from './command-line.ts'

const usage = `Measures search, pages, relevance, floods and the feed, as ratios.

  npm run bench -- [search | pages | lighthouse | hydration | flood | ingest | stored | pools | relevance RESTAURANTS QUERIES]`

const stop: (problem: string) => never = createUsageExit(usage)
const [what = 'search', ...files] = readArguments({}, stop).positionals
const [restaurants, queries] = files
const benchmarks = new Map([
  ['search', benchSearch],
  ['pages', benchPages],
  ['lighthouse', benchLighthouse],
  ['hydration', benchHydration],
  ['flood', benchFlood],
  ['ingest', benchIngest],
  ['stored', benchStored],
  ['pools', benchPools],
])
const benchmark = benchmarks.get(what)
// Durable, so that benchmarks measure the settings of an installation.
if (benchmark) await withTestRun(['schema', 'samples'], { durable: true }, benchmark)
else if (what === 'relevance' && restaurants && queries) benchRelevance(restaurants, queries)
else stop(`There is no benchmark ${what} with these files.`)
