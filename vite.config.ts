import { existsSync, globSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Only the server references the stylesheets and font files, so only its build emits them; they are moved to where
// browsers can load them.
function publishFonts(): void {
  for (const file of globSync('dist/server/assets/*.{css,woff2}')) {
    const place = join('dist/client/assets', basename(file))
    if (!existsSync(place)) renameSync(file, place)
  }
}

// What several pages share, in a few files: each request costs more than some unused bytes.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ },
  { name: 'cards', test: /src[\\/]rewards[\\/]cards[\\/]member[\\/]/, minShareCount: 3 },
  { name: 'restaurants', test: /src[\\/]dining[\\/]merchants[\\/]/, minShareCount: 3 },
  {
    name: 'forms',
    test: /[\\/](forms?|form-fields|use-member-form|MemberForm|ScriptForm|use-bot-check|PasswordField|PasswordInput)[.]tsx?$/,
    minShareCount: 2,
  },
  { name: 'shared', test: /(lucide-react|src)[\\/]/, minShareCount: 3 },
]

export default defineConfig(({ command }) => ({
  appType: 'custom',
  plugins: [react()],
  build: {
    // One stylesheet: it is small and cached, and avoids a flash of unstyled content.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    // A page names the scripts that it needs, and the next page needs few more.
    modulePreload: false as const,
    sourcemap: false,
    target: 'baseline-widely-available',
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        rolldownOptions: {
          input: 'src/app/web/entry.client.tsx',
          output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
        },
      },
    },
    ssr: {
      // Bundled, so that the server renders with React's production build regardless of NODE_ENV.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      }),
      build: {
        outDir: 'dist/server',
        emitAssets: true,
        rolldownOptions: { input: ['src/app/web/entry.server.tsx', 'src/app/web/entry.pages.tsx'] },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      await builder.build(builder.environments.client as never)
      await builder.build(builder.environments.ssr as never)
      publishFonts()
    },
  },
}))
