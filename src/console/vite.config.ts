import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the console: a bundle of its own, which shares no file with the member app. */
export default defineConfig({
  plugins: [react()],
  // Relative to the files of the console's own host.
  base: '/',
  publicDir: false,
  build: {
    outDir: 'dist/console',
    emptyOutDir: true,
    manifest: true,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: 'src/console/shell/entry.tsx',
      treeshake: { manualPureFunctions: ['defineCall'] },
      output: { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' },
    },
  },
})
