import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { createCardMember } from '../support/card-member.ts'
import { openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const operators = [
  { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: ['skyharbor'] },
  { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: ['skyharbor'] },
  { email: 'eve@dineback.example', name: 'Eve Editor', role: 'editor', partners: ['skyharbor'] },
  { email: 'oto@dineback.example', name: 'Oto Other', role: 'admin', partners: ['gallonaire'] },
] as const

beforeAll(async () => {
  for (const operator of operators) await addOperator(app.database.consolePools.shared, { ...operator, password })
})

interface Page {
  path: string
  /** The fields of a form. */
  form?: Record<string, string>
  may: readonly string[]
}

/** Returns every page and form of a program in the console, with the roles that may use it. */
async function listPages(): Promise<Page[]> {
  const member = await createCardMember(app)
  const memberPath = `/skyharbor/members/${member.publicId}`
  const entryPath = '/skyharbor/earn_details/partner-news'
  const [support, editors] = [
    ['admin', 'support'],
    ['admin', 'editor'],
  ]
  return [
    { path: `${memberPath}/look`, form: { reason: 'A question' }, may: support },
    { path: `${memberPath}/end`, form: { emulationId: 'x' }, may: support },
    { path: '/skyharbor/content', may: editors },
    { path: '/skyharbor/earn_details/new?slug=another', may: editors },
    { path: entryPath, may: editors },
    { path: entryPath, form: { act: 'save', basedOn: '99' }, may: editors },
    { path: `${entryPath}/versions/1`, may: editors },
    { path: `${entryPath}/release`, form: { act: 'publish', version: '99' }, may: editors },
  ]
}

test('each page and form of a program is open to its roles in that program, and does not exist for others', async () => {
  const pages = await listPages()
  for (const { email, role, partners } of operators) {
    const session = await openConsole(app, email, password)
    for (const { path, form, may } of pages) {
      const { status } = await (form ? session.post(path, form) : session.get(path))
      const isOpen = may.includes(role) && (partners as readonly string[]).includes('skyharbor')
      expect([email, path, form, status === 404 ? 'missing' : 'open']).toEqual([
        email,
        path,
        form,
        isOpen ? 'open' : 'missing',
      ])
      expect([path, status]).not.toEqual([path, 500])
    }
  }
})
