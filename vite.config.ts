import { existsSync, globSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import babel from '@rolldown/plugin-babel'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Only the server references the stylesheets and font files, so only its build emits them; they are moved to where
// browsers can load them.
function publishFonts(): void {
  for (const file of globSync('dist/server/assets/*.{css,woff2}')) {
    const place = join('dist/client/assets', basename(file))
    if (!existsSync(place)) renameSync(file, place)
  }
}

/** Properties of a call that only the server needs: their schemas would add the validator to every page. */
const serverOnlyKeys = new Set([
  'params',
  'query',
  'body',
  'headers',
  'bodyType',
  'replyType',
  'bearer',
  'cookies',
  'reply',
  'errors',
  'summary',
  'status',
  'perMinute',
  'eachItem',
])

/** Reduces every call in the browser's code to what the client uses: name, method, path and permissions. */
function lightCalls(): Plugin {
  return {
    name: 'light-calls',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/.*\/contract\.ts$/ },
      handler(code) {
        const program = this.parse(code)
        const edits: Edit[] = []
        walk(program, (node) => {
          if (node.type !== 'CallExpression' || node.callee.name !== 'defineCall') return
          for (const property of node.arguments[0].properties) {
            if (!serverOnlyKeys.has(property.key?.name)) continue
            const comma = /^\s*,/.exec(code.slice(property.end))?.[0].length ?? 0
            edits.push({ from: property.start, to: property.end + comma, text: '' })
          }
        })
        // Marks schemas as pure, so that unused ones are removed.
        for (const statement of program.body) {
          // biome-ignore lint/suspicious/noExplicitAny: any declaration of any syntax tree
          const { declarations = [] } = ((statement as any).declaration ?? statement) as any
          for (const { init } of declarations) {
            const isSchema = init?.type === 'CallExpression' && init.callee.name !== 'defineCall'
            // Objects of shared fields are marked like schemas.
            if (!isSchema && init?.type !== 'ObjectExpression') continue
            edits.push({ from: init.start, to: init.start, text: '/* @__PURE__ */ (() => (' })
            edits.push({ from: init.end, to: init.end, text: '))()' })
          }
        }
        const apply = (text: string, { from, to, text: by }: Edit) => text.slice(0, from) + by + text.slice(to)
        return { code: edits.toSorted((a, b) => b.from - a.from).reduce(apply, code), map: null }
      },
    },
  }
}

interface Edit {
  from: number
  to: number
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: any node of any syntax tree
function walk(node: any, visit: (node: any) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  else if (node && typeof node.type === 'string') {
    visit(node)
    for (const value of Object.values(node)) if (value && typeof value === 'object') walk(value, visit)
  }
}

export default defineConfig(({ command }) => ({
  appType: 'custom',
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), lightCalls()],
  build: {
    // One stylesheet: it is small and cached, and avoids a flash of unstyled content.
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
