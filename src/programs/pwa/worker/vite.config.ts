import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

// The cache name contains the build id of the app: a new build starts with an empty cache.
const build = createHash('sha256').update(readFileSync('dist/client/.vite/manifest.json')).digest('hex').slice(0, 12)

/** One classic script with a fixed name, where browsers check for updates. */
export default defineConfig({
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    outDir: 'dist/worker',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: false,
    rolldownOptions: {
      input: 'src/programs/pwa/worker/sw.ts',
      output: { entryFileNames: 'sw.js', format: 'iife' },
    },
  },
})
