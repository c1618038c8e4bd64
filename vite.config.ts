import babel from '@rolldown/plugin-babel'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  appType: 'custom',
  plugins: [react(), babel({ presets: [reactCompilerPreset()] })],
  build: {
    // One stylesheet: it is small, it is cached, and no page flashes.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    sourcemap: false,
    target: 'baseline-widely-available',
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        rolldownOptions: { input: 'src/app/web/entry.client.tsx' },
      },
    },
    ssr: {
      build: {
        outDir: 'dist/server',
        emitAssets: false,
        rolldownOptions: { input: 'src/app/web/entry.server.tsx' },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      await builder.build(builder.environments.client as never)
      await builder.build(builder.environments.ssr as never)
    },
  },
})
