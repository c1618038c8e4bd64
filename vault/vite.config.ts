import { defineConfig } from 'vite'

/** One small script, without a runtime of its own, under a name that does not change: the vault serves it itself. */
export default defineConfig({
  build: {
    outDir: 'dist/vault',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: false,
    rolldownOptions: {
      input: 'vault/frame/frame.ts',
      output: { entryFileNames: 'frame.js', format: 'es' },
    },
  },
})
