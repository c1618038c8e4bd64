import { createHash } from 'node:crypto'
import { existsSync, globSync, renameSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { rootSettings } from './scripts/plain-path.ts'
import { sharedChunks } from './scripts/web-chunks.ts'

const { root, resolve } = rootSettings(import.meta.dirname)

// Only the server references the stylesheets and font files, so only its build emits them; they are moved to where
// browsers can load them.
function publishFonts(): void {
  for (const file of globSync('dist/server/assets/*.{css,woff2}')) {
    const place = join('dist/client/assets', basename(file))
    if (!existsSync(place)) renameSync(file, place)
  }
}

const classNames = new Map<string, string>()

/** Returns a class name of five characters: pages, styles and scripts repeat them often. The same in every build. */
function shortClassName(name: string, file: string): string {
  const id = `${relative(root, file)} ${name}`
  const hash = createHash('sha256').update(id).digest()
  const short = String.fromCharCode(97 + (hash.readUInt8() % 26)) + hash.readUInt32BE(1).toString(36).slice(-4)
  if ((classNames.get(short) ?? id) !== id) throw new Error(`rename a class: ${id} and ${classNames.get(short)}`)
  classNames.set(short, id)
  return short
}

// Dynamic imports are not wrapped: a wrapper would preload files, which the pages do themselves.
const bareImports: Plugin = {
  name: 'bare-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
}

// Icons are created by our own function; not in development, where the server loads `lucide-react` without Vite.
const ownIcons = { find: '../createLucideIcon.mjs', replacement: join(root, 'src/ui/create-icon.ts') }

// Icons name their elements with random characters, which do not compress, for React's lists. Our function needs no names.
const iconsWithoutKeys: Plugin = {
  name: 'icons-without-keys',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (id.includes('/lucide-react/dist/esm/icons/') ? code.replace(/,\s*key: "\w+"/g, '') : null),
}

// The server preloads the files of a page by the path of its source; browsers need no paths.
const routesWithoutSources: Plugin = {
  name: 'routes-without-sources',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) => (id.endsWith('/web/routes.tsx') ? code.replace(/'src\/[^']+'/g, "''") : null),
}

const { plugin: readsImports, nameOf } = sharedChunks()

export default defineConfig(({ command }) => ({
  appType: 'custom',
  root,
  resolve,
  plugins: [react(), bareImports, iconsWithoutKeys, routesWithoutSources, readsImports],
  ...(command === 'build' && {
    css: { modules: { generateScopedName: shortClassName } },
    resolve: { ...resolve, alias: [ownIcons] },
  }),
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
          // Scripts leave out the definitions of API calls that they do not use.
          treeshake: { manualPureFunctions: ['defineCall'] },
          output: {
            // Few characters: scripts name each other, and random characters do not compress.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: nameOf, debugName: 'shared' }] },
          },
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
