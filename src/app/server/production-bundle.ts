import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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
  const fonts = new Map<string, string>()
  const fontStyles = (href: string) => {
    const known = fonts.get(href) ?? read(href)
    fonts.set(href, known)
    return known
  }
  const web: WebBundle = {
    render,
    scripts: () => ({ entry: `/${main.file}`, preload: preloads }),
    styles: (type) => [...fontLinks(type), ...(stylesheet ? [`/${stylesheet}`] : [])],
    inline: {
      stylesheet: stylesheet ? `/${stylesheet}` : null,
      fontStyles: (type) => fontLinks(type).map(fontStyles).join(''),
      usedStyles,
    },
  }
  return { web, pages }
}
