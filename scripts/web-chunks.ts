import type { Plugin } from 'vite'

const entry = /entry\.client\.tsx$/
const publicPages = /(ContentPage|EarnPage|SearchPage|CityPage|MerchantPage|BookTable|DeferredOverlays)\.tsx$/
const contentPages = /(ContentPage|EarnPage)\.tsx$/
const formPages = /(LoginPage|JoinPage)\.tsx$/
const libraries = /node_modules[\\/](react|react-dom|scheduler)[\\/]/
const own = /[\\/](lucide-react|src)[\\/]/

/**
 * Returns the name of the file that a module belongs to; null when it stays with its page. `usedBy` are the modules that
 * are loaded on their own (the entry and what is imported when needed) and import it.
 */
function chunkOf(id: string, usedBy: readonly string[]): string | null {
  if (libraries.test(id)) return 'react'
  if (!own.test(id) || entry.test(id)) return null
  if (usedBy.some((page) => entry.test(page))) return 'shared'
  if (usedBy.length < 2) return null
  const visited = usedBy.filter((page) => publicPages.test(page))
  if (visited.length === 0) {
    // The form of the home page needs less than the others.
    if (usedBy.some((page) => page.endsWith('ProspectForm.tsx'))) return 'forms'
    const isForForms = usedBy.some((page) => formPages.test(page))
    if (usedBy.length < 3 && !isForForms) return null
    if (/src[\\/]rewards[\\/]cards/.test(id)) return 'cards'
    // Who signs in or joins does not need what only pages of members share.
    return isForForms ? 'account' : 'members'
  }
  if (usedBy.length === 2 && visited.length === 1) return null
  if (visited.every((page) => contentPages.test(page))) return 'content'
  return /src[\\/]dining[\\/]merchants/.test(id) || usedBy.length === 2 ? 'restaurants' : 'shared'
}

/**
 * Puts what several pages share into a few files: each request costs more than some unused bytes, and larger files
 * compress better. Returns the plugin that reads which page uses what, and the function that names a module's file.
 */
export function sharedChunks(): { plugin: Plugin; nameOf: (id: string) => string | null } {
  const usedBy = new Map<string, string[]>()
  const plugin: Plugin = {
    name: 'shared-chunks',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    buildEnd() {
      usedBy.clear()
      const imports = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
      const all = [...this.getModuleIds()]
      const lazy = all.flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      for (const page of new Set([...all.filter((id) => entry.test(id)), ...lazy])) {
        const seen = new Set<string>()
        const visit = (id: string) => {
          if (seen.has(id)) return
          seen.add(id)
          usedBy.set(id, [...(usedBy.get(id) ?? []), page])
          imports(id).forEach(visit)
        }
        visit(page)
      }
    },
  }
  return { plugin, nameOf: (id) => chunkOf(id, usedBy.get(id) ?? []) }
}
