import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

// The worker knows the build of the app whose pages it keeps: another build begins with an empty store.
const build = createHash('sha256').update(readFileSync('dist/client/.vite/manifest.json')).digest('hex').slice(0, 12)

/** One classic script under a name that does not change: browsers look there for a newer one. */
export default defineConfig({
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    outDir: 'dist/worker',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: false,
    rolldownOptions: {
      input: 'src/pwa/worker/sw.ts',
      output: { entryFileNames: 'sw.js', format: 'iife' },
    },
  },
})
