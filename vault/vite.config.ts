import { defineConfig } from 'vite'

/** Builds one small script without a runtime, with a stable name, because the vault serves it itself. */
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
