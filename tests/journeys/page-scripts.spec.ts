import { globSync, readFileSync } from 'node:fs'
import { at, expect, findMerchant, further, test } from '../support/journey.ts'

/** The code that checks forms, by a text of `form-fields.ts` that survives minification. */
const checksForms = (code: string) => code.includes('validation.max_length|')

test('public pages load no code that only forms need', further, async ({ page }) => {
  const scripts = new Map<string, boolean>()
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return
    const holds = await response.text().then(checksForms, () => false)
    scripts.set(new URL(response.url()).pathname, holds)
  })
  const visit = (partner: string, path: string) => page.goto(at(partner, path), { waitUntil: 'networkidle' })
  // The home page of a program with direct enrollment has a form for visitors.
  for (const path of ['/', '/how-it-works']) await visit('beacon', path)
  for (const path of ['/earn', '/search?location=10001']) await visit('skyharbor', path)
  const { id } = await findMerchant(page, 'location=10001&reservations=true')
  await visit('skyharbor', `/merchants/${id}`)
  expect(scripts.size).toBeGreaterThan(3)
  expect([...scripts].filter(([, holds]) => holds)).toEqual([])
  // A page with a form does.
  await page.goto(at('skyharbor', '/login'))
  await expect.poll(() => [...scripts.values()].some(Boolean)).toBe(true)
})

interface Chunk {
  file: string
  imports?: string[]
}

/** Returns by which imports a page's script loads the code that checks forms: its chunks, from the page on. Null when it does not. */
function wayToForms(page: string): string[] | null {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'))
  const seen = new Set<string>()
  function search(name: string): string[] | null {
    if (seen.has(name)) return null
    seen.add(name)
    const { file, imports = [] } = chunks[name] as Chunk
    for (const each of imports) {
      const way = search(each)
      if (way) return [name, ...way]
    }
    return checksForms(readFileSync(`dist/client/${file}`, 'utf8')) ? [name] : null
  }
  return search(page)
}

const publicPages = {
  'every page': 'src/app/web/entry.client.tsx',
  'home and content pages': 'src/programs/content/member/ContentPage.tsx',
  'how to earn': 'src/programs/content/member/EarnPage.tsx',
  search: 'src/dining/merchants/member/SearchPage.tsx',
  'search: map': 'src/dining/merchants/member/ResultMap.tsx',
  'search: filters': 'src/dining/merchants/member/FilterDialog.tsx',
  restaurant: 'src/dining/merchants/member/MerchantPage.tsx',
  'restaurant: booking': 'src/dining/reservations/member/BookTable.tsx',
}

for (const [name, module] of Object.entries(publicPages)) {
  test(`the script of ${name} imports no code of forms`, () => {
    expect(wayToForms(module)).toBeNull()
  })
}

test('the script of the sign-in page imports the code of forms', () => {
  expect(wayToForms('src/identity/session/member/LoginPage.tsx')).not.toBeNull()
})

test('no script for browsers has zod or another form library: forms check with their own description', () => {
  const scripts = globSync('dist/client/assets/*.js')
  expect(scripts.length).toBeGreaterThan(20)
  const texts = { zod: '._zod', 'React Hook Form': 'shouldUnregister' }
  const found = scripts.flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    return Object.entries(texts).flatMap(([library, text]) => (code.includes(text) ? [`${library}: ${file}`] : []))
  })
  expect(found).toEqual([])
})
