import Fastify from 'fastify'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PasskeyCheckPage, SecurityPage, type SecurityView, SignInPage } from './pages.tsx'
import { operatorPasskeyRoutes } from './passkey-routes.ts'

const passkey = (id: number, name: string, createdAt: string) =>
  ({ id, name, createdAt: new Date(createdAt) }) as SecurityView['passkeys'][number]
const view: SecurityView = {
  csrf: 'a-token',
  options: { challenge: 'abc' },
  problem: null,
  name: '',
  passkeys: [],
  needsCode: false,
  passkeysRequired: false,
}
const security = (over: Partial<SecurityView> = {}) => renderToStaticMarkup(<SecurityPage {...view} {...over} />)

test('a rejected sign-in shows the address again, and starts at the password, which the problem describes', () => {
  const first = renderToStaticMarkup(<SignInPage hint={null} />)
  expect([first.includes('autofocus'), first.includes('aria-invalid'), first.includes('muted')]).toEqual([
    false,
    false,
    false,
  ])
  const again = renderToStaticMarkup(<SignInPage hint="A hint" email="ada@example.com" problem="Wrong." />)
  expect(again).toMatch(/<input id="email"[^>]* value="ada@example\.com"/)
  expect(/<input id="password"[^>]*>/.exec(again)?.[0]).toMatch(
    /autofocus="" aria-invalid="true" aria-describedby="problem"/i,
  )
  expect(again).toContain('<p class="muted">A hint</p>')
})

test('each passkey has the day on which it was added, in UTC, and a form that removes just this one', () => {
  const passkeys = [passkey(7, 'Phone', '2026-02-28T23:30:00Z'), passkey(8, 'Laptop', '2026-03-02T00:30:00Z')]
  const rows = [...security({ passkeys }).matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td>(.*?)<\/tr>/g)].map(
    ([, name, day, form = '']) => [
      name,
      day,
      /action="([^"]+)"/.exec(form)?.[1],
      /name="csrf" value="([^"]+)"/.exec(form)?.[1],
      /name="id" value="([^"]+)"/.exec(form)?.[1],
    ],
  )
  expect(rows).toEqual([
    ['Phone', 'Feb 28, 2026', '/security/remove', 'a-token', '7'],
    ['Laptop', 'Mar 2, 2026', '/security/remove', 'a-token', '8'],
  ])
})

test('the page says that a passkey is needed where it is, also to an operator who needs no code', () => {
  const says = (over: Partial<SecurityView>) => [
    security(over).includes('You need one to view members'),
    security(over).includes('name="code"'),
  ]
  expect([says({}), says({ passkeysRequired: true }), says({ passkeysRequired: true, needsCode: true })]).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})

/** Runs the script of a page as its browser does. Returns a function that submits the form, and what has happened. */
async function openForm(html: string, credentials: { create?: unknown; get?: unknown }) {
  const server = Fastify()
  operatorPasskeyRoutes(server, {} as never)
  const path = /<script src="([^"]+)"/.exec(html)?.[1] ?? ''
  const { payload: script } = await server.inject(path)
  await server.close()
  const tag = /<form[^>]* data-ceremony[^>]*>.*?<\/form>/.exec(html)?.[0] ?? ''
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"')
  const credential = tag.includes('<input type="hidden" name="credential"/>') ? { value: '' } : undefined
  const sent: unknown[] = []
  const form = Object.assign(new EventTarget(), {
    dataset: { ceremony: attribute('data-ceremony'), options: attribute('data-options') },
    elements: { credential },
    submit: () => sent.push(credential?.value),
  })
  const notice = { hidden: /role="alert" id="given-up" hidden=""/.test(html) }
  const asked: unknown[] = []
  const ask = (kind: 'create' | 'get') => async (options: unknown) => {
    asked.push([kind, options])
    if (!credentials[kind]) throw new Error('not allowed')
    return { toJSON: () => credentials[kind] }
  }
  new Function('document', 'navigator', 'PublicKeyCredential', script)(
    {
      querySelector: () => form,
      getElementById: (id: string) => (id === 'given-up' ? notice : null),
    },
    { credentials: { create: ask('create'), get: ask('get') } },
    {
      parseCreationOptionsFromJSON: (options: object) => ({ ...options, for: 'create' }),
      parseRequestOptionsFromJSON: (options: object) => ({ ...options, for: 'get' }),
    },
  )
  return {
    /** Returns whether the browser would also send the form itself. */
    async submit() {
      const goesOn = form.dispatchEvent(new Event('submit', { cancelable: true }))
      await new Promise(setImmediate)
      return goesOn
    },
    asked,
    sent,
    notice,
  }
}

test('the browser is asked for a new passkey, or for one that exists, and its response is sent with the form', async () => {
  const check = renderToStaticMarkup(<PasskeyCheckPage {...view} />)
  for (const [html, kind] of [
    [security(), 'create'],
    [check, 'get'],
  ] as const) {
    const form = await openForm(html, { [kind]: { id: 'a-passkey' } })
    expect(await form.submit()).toBe(false)
    expect(form.asked).toEqual([[kind, { publicKey: { challenge: 'abc', for: kind } }]])
    expect([form.sent, form.notice.hidden]).toEqual([['{"id":"a-passkey"}'], true])
  }
})

test('a passkey that was not used is reported, nothing is sent, and the next try is possible', async () => {
  const credentials: { get?: unknown } = {}
  const form = await openForm(renderToStaticMarkup(<PasskeyCheckPage {...view} />), credentials)
  expect(form.notice.hidden).toBe(true)
  await form.submit()
  expect([form.sent, form.notice.hidden]).toEqual([[], false])
  credentials.get = { id: 'a-passkey' }
  await form.submit()
  expect([form.sent, form.asked.length]).toEqual([['{"id":"a-passkey"}'], 2])
})
