import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Theme } from '../../programs/partners/theme.ts'
import { selectThemeFaces } from './font-files.ts'
import type { WebBundle } from './pages.ts'
import type { ServerPages } from './server-pages.ts'
import { createUsedStyles } from './used-styles.ts'

interface ManifestChunk {
  file: string
  imports?: string[]
  css?: string[]
}

const entry = 'src/app/web/entry.client.tsx'

/** Loads the web code that `npm run build` wrote to `dist/`. Throws when there is no build. */
export async function loadProductionBundle(dist: string): Promise<{ web: WebBundle; pages: ServerPages }> {
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8'),
  )
  const load = (name: string) => import(pathToFileURL(join(dist, 'server', name)).href)
  const { render, fontLinks } = await load('entry.server.js')
  const pages: ServerPages = await load('entry.pages.js')
  const main = manifest[entry]
  if (!main) throw new Error(`${dist} has no ${entry}: build again`)
  const stylesheet = Object.values(manifest).find((chunk) => chunk.file.endsWith('.css'))?.file
  const preloads = (modules: string[]) => {
    const files = new Set<string>()
    const visit = (name: string) => {
      const chunk = manifest[name]
      if (!chunk || files.has(`/${chunk.file}`)) return
      files.add(`/${chunk.file}`)
      chunk.imports?.forEach(visit)
    }
    for (const name of [entry, ...modules]) visit(name)
    return [...files]
  }
  const read = (href: string) => readFileSync(join(dist, 'client', href), 'utf8')
  const usedStyles = stylesheet ? createUsedStyles(read(stylesheet)) : () => ''
  const sizeOf = memoize((href: string) => statSync(join(dist, 'client', href)).size)
  const facesOf = memoize((key: string) => {
    const type: Theme['type'] = JSON.parse(key)
    const [body = '', heading = body] = fontLinks(type).map(read)
    return selectThemeFaces({ body, heading }, type, sizeOf)
  })
  const web: WebBundle = {
    render,
    scripts: () => ({ entry: `/${main.file}`, preload: preloads }),
    styles: (type) => [...fontLinks(type), ...(stylesheet ? [`/${stylesheet}`] : [])],
    inline: {
      stylesheet: stylesheet ? `/${stylesheet}` : null,
      fontStyles: (type) => facesOf(JSON.stringify(type)).css,
      fontFiles: (type) => facesOf(JSON.stringify(type)).files,
      usedStyles,
    },
  }
  return { web, pages }
}

/** Computes each value once; for few different arguments. */
function memoize<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}
