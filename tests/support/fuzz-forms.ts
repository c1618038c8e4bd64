import fc, { type Arbitrary } from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { addOperator } from '../../src/console/operators/service.ts'
import { unescapeHtml } from '../../src/platform/html.ts'
import type { TestApp } from './app.ts'
import { openConsole } from './console.ts'
import type { FuzzTarget } from './fuzz.ts'
import type { Draft } from './mutations.ts'
import { sendRaw } from './raw-http.ts'

type Fields = Record<string, string | string[]>

interface FoundForm {
  path: string
  fields: Fields
}

/** Placeholder for the token in operators' forms, which changes with every sign-in. */
const csrfMark = 'CSRF'

/** Returns the routes of an app from its router. */
export function listRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parts: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?[└├]── )(.*) \(([A-Z, ]+)\)$/.exec(line)
      if (!found) return []
      const [, indent = '', piece = '', methods = ''] = found
      parts.splice(indent.length / 4 - 1, Number.POSITIVE_INFINITY, piece)
      const path = parts.join('')
      return methods.split(', ').flatMap((method) => (method === 'HEAD' ? [] : [{ method, path }]))
    })
}

/** Returns the forms and the links of a page. */
function read(page: string): { forms: FoundForm[]; links: string[] } {
  const attribute = (tag: string, name: string) => unescapeHtml(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  const forms = [...page.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => {
      const fields: Fields = {}
      for (const [tag] of body.matchAll(/<(?:input|select|textarea|button)[^>]*>/g)) {
        const name = attribute(tag, 'name')
        if (name !== '') fields[name] = name === 'csrf' ? csrfMark : attribute(tag, 'value')
      }
      return { path: unescapeHtml(action), fields }
    },
  )
  const links = [...page.matchAll(/href="(\/[^"#]*)"/g)].map(([, href = '']) => unescapeHtml(href))
  return { forms, links }
}

/** Crawls pages from the start addresses and collects their forms and links. */
async function crawl(get: (path: string) => Promise<string>, starts: readonly string[], maxPages: number) {
  const seen = new Set(starts)
  const waiting = [...starts]
  const forms: FoundForm[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const page = read(await get(path))
    forms.push(...page.forms)
    for (const link of page.links) {
      if (seen.has(link) || seen.size >= maxPages) continue
      seen.add(link)
      waiting.push(link)
    }
  }
  return { forms, addresses: [...seen] }
}

/** Returns the parameters with which an address matches a route, or null. */
function paramsIn(route: string, address: string): Record<string, string> | null {
  const pattern = route.replace(/[.]/g, '\\.').replace(/:(\w+)/g, '(?<$1>[^/?]+)')
  const groups = new RegExp(`^${pattern}(?:\\?.*)?$`).exec(address)
  return groups && { ...groups.groups }
}

const queries = fc.record(
  {
    q: fc.constantFrom('ada', '', '%'),
    month: fc.constantFrom('2026-10', '2026-13'),
    format: fc.constantFrom('pdf', 'csv', 'x'),
    done: fc.constantFrom('saved', 'x'),
    problem: fc.constantFrom('invalid', 'x'),
    slug: fc.constantFrom('home', 'x'),
    view: fc.constantFrom('frame', 'x'),
  },
  { requiredKeys: [] },
)

/** Generates requests to a route, with parameters and fields found on pages, or with arbitrary ones. */
function draftFor(
  host: string,
  { method, path }: { method: string; path: string },
  found: { forms: readonly FoundForm[]; addresses: readonly string[] },
): Arbitrary<Draft> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const any = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.constantFrom('skyharbor', 'home', '1', '2026-10-01', 'x')])),
  )
  const own = found.forms.filter((form) => paramsIn(path, form.path) !== null)
  const params = [...own.map((form) => form.path), ...found.addresses]
    .map((address) => paramsIn(path, address))
    .filter((each) => each !== null)
  const fields: Arbitrary<unknown> =
    method === 'GET'
      ? fc.constant(undefined)
      : fc.constantFrom<Fields>(...(own.length > 0 ? own.map((form) => form.fields) : [{ csrf: csrfMark, id: '1' }]))
  return fc.record({
    method: fc.constant(method),
    host: fc.constant(host),
    path: fc.constant(path),
    params: params.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...params) }, any) : any,
    query: queries as Arbitrary<Record<string, unknown>>,
    body: fields,
    bodyType: fc.constant<'form'>('form'),
    headers: fc.constant({}),
  })
}

/** Replaces the placeholder in the fields with the operator's token. */
function withToken(body: unknown, csrf: string): unknown {
  const fields = body as Fields | undefined
  return fields?.csrf === csrfMark ? { ...fields, csrf } : body
}

/** Returns every page and every form of the console, for an administrator and for a signed-out client. */
export async function consoleTargets(app: TestApp, memberIds: readonly string[]): Promise<FuzzTarget[]> {
  const operator = {
    email: 'fuzz@dineback.example',
    name: 'Fern Otis',
    password: 'lighthouse 9 sardines',
    role: 'admin',
    partners: null,
  } as const
  await addOperator(app.database.consolePools.shared, operator)
  const open = () => openConsole(app, operator.email, operator.password)
  let session = await open()
  const starts = ['/programs', ...memberIds.map((id) => `/skyharbor/members/${id}`)]
  const found = await crawl(async (path) => (await session.get(path)).text, starts, 150)
  const host = `console.localhost:${app.port}`
  const { console: operators } = app.auxiliaryApps
  if (!operators) throw new Error('the console is missing')
  // The calls have drafts of their own, from their schemas.
  const pages = listRoutes(operators).filter(({ path }) => !path.startsWith('/api/'))
  return pages.flatMap((route): FuzzTarget[] => {
    const name = `console ${route.method} ${route.path}`
    const draft = draftFor(host, route, found)
    return [
      { name: `${name} anonymous`, shape: 'page', draft },
      {
        name,
        shape: 'page',
        draft,
        finish: (each) => ({ ...each, body: withToken(each.body, session.csrf) }),
        credentials: async () => ({ cookie: session.cookie }),
        async after({ headers }) {
          if (headers.location === '/sign-in') session = await open()
        },
      },
    ]
  })
}

/** Returns every form of the form service. */
export async function formTargets(app: TestApp): Promise<FuzzTarget[]> {
  const { forms } = app.auxiliaryApps
  if (!forms) throw new Error('the form service is deployed apart')
  const host = `forms.localhost:${app.port}`
  const starts = [...app.programs.values()].flatMap(({ config, forms: own }) =>
    [...own.keys()].map((id) => `/forms/${config.formServiceCode}/${id}`),
  )
  const transaction = new URLSearchParams({
    date: '2026-10-01',
    merchantId: 'x',
    transactionId: 't1',
    familyId: 'f1',
    merchantName: 'Corner Bistro',
    settleType: 'settle',
  })
  const get = async (path: string) =>
    (await sendRaw(app.port, { method: 'GET', target: path, headers: { host }, body: null })).text
  const found = await crawl(get, [...starts, `/reviews/skyharbor?${transaction}`], 100)
  return listRoutes(forms).map((route) => ({
    name: `forms ${route.method} ${route.path}`,
    shape: 'page',
    draft: draftFor(host, route, found),
  }))
}
