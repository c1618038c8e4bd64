import { benchFlood } from '../bench/flood.ts'
import { benchIngest, benchStored } from '../bench/ingest.ts'
import { benchPages } from '../bench/pages.ts'
import { benchRelevance } from '../bench/relevance.ts'
import { benchSearch } from '../bench/search.ts'

const [what = 'search', ...files] = process.argv.slice(2)
const [restaurants, queries] = files
if (what === 'search') await benchSearch()
else if (what === 'pages') await benchPages()
else if (what === 'flood') await benchFlood()
else if (what === 'ingest') await benchIngest()
else if (what === 'stored') await benchStored()
else if (what === 'relevance' && restaurants && queries) benchRelevance(restaurants, queries)
else {
  process.stderr.write('npm run bench -- [search | pages | flood | ingest | stored | relevance RESTAURANTS QUERIES]\n')
  process.exitCode = 1
}
