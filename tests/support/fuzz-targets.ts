import fc, { type Arbitrary } from 'fast-check'
import { pagePosts } from '../../src/app/server/page-posts.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { type CallSpec, needsCsrf } from '../../src/platform/call.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { signMessage } from '../../src/platform/security/webhook-signature.ts'
import { feedPaths } from '../../src/rewards/feed/contract.ts'
import { feedKey } from '../../src/rewards/feed/feed-key.ts'
import { fidelPath } from '../../src/rewards/feed/fidel/contract.ts'
import { FeedEvent } from '../../src/rewards/feed/schemas.ts'
import { reviewKey } from '../../src/rewards/reviews/review-key.ts'
import { type TestApp, visit } from './app.ts'
import { type CardMember, createCardMember } from './card-member.ts'
import { openConsole } from './console.ts'
import type { FuzzTarget } from './fuzz.ts'
import type { Draft } from './mutations.ts'
import type { RawRequest } from './raw-http.ts'
import { type KnownValues, valuesOf } from './schema-values.ts'

/** Maintains a member with a card, who is replaced when a request has ended the session or the account. */
async function createRenewableMember(app: TestApp, partner: string) {
  let member: CardMember = await createCardMember(app, partner)
  return {
    current: () => member,
    async renew() {
      if ((await member.visitor.get('/api/Member')).status !== 200) member = await createCardMember(app, partner)
    },
  }
}

const cookieOf = (cookies: Map<string, string>) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const draftOf = (
  method: string,
  host: string,
  path: string,
  parts: Partial<Record<'params' | 'query' | 'body', Arbitrary<unknown>>>,
  bodyType: Draft['bodyType'] = 'json',
): Arbitrary<Draft> =>
  fc.record({
    method: fc.constant(method),
    host: fc.constant(host),
    path: fc.constant(path),
    params: (parts.params ?? fc.constant({})) as Arbitrary<Record<string, unknown>>,
    query: (parts.query ?? fc.constant({})) as Arbitrary<Record<string, unknown>>,
    body: parts.body ?? fc.constant(undefined),
    bodyType: fc.constant(bodyType),
    headers: fc.constant({}),
  })

/** Returns every API call: as a visitor, as a member with a card, and as the signing machine. */
export async function apiTargets(app: TestApp): Promise<FuzzTarget[]> {
  const member = await createRenewableMember(app, 'skyharbor')
  const { merchant, lastFour } = member.current()
  const { cards } = (await member.current().visitor.get('/api/staging/cards')).json()
  const known: KnownValues = {
    merchantId: [merchant.slug],
    location: ['New York, NY', '10001', 'NY'],
    zip: ['10001'],
    cardId: cards.map(({ id }: { id: string }) => id),
    card: [cards[0].id],
    lastNumbers: [lastFour],
    amount: ['12.50', '0', '99999.99'],
    programId: ['skyharbor'],
    currency: ['USD'],
    date: ['2026-11-01', '2026-12-01'],
  }
  const ofPrograms = app.partnerApp.calls.flatMap((call) => {
    if (call.access === 'machine') return [machineTarget(app, call, known)]
    const asVisitor = ['skyharbor', 'beacon'].map((partner) => visitorTarget(app, partner, call, known))
    return [...asVisitor, memberTarget(member, call, known)]
  })
  return [...ofPrograms, ...(await operatorTargets(app, known))]
}

/** Returns the calls of the console, about one program, by an administrator. */
async function operatorTargets(app: TestApp, known: KnownValues): Promise<FuzzTarget[]> {
  const operators = app.auxiliaryApps.console
  if (!operators) return []
  const account = { email: 'calls@dineback.example', name: 'Cal Ledger', password: 'lighthouse 9 sardines' }
  await addOperator(app.database.consolePools.shared, { ...account, role: 'admin', partners: null })
  const open = () => openConsole(app, account.email, account.password)
  let session = await open()
  const host = `console.localhost:${app.port}`
  return operators.operatorCalls.map((call) => ({
    name: `${call.id} by an administrator`,
    shape: 'api',
    draft: draftOf(call.method, host, call.path.replace(':program', 'skyharbor'), partsOf(call, known)),
    ...(call.id === 'setMaintenance' && { finish: withoutClosing }),
    credentials: async () => ({ cookie: session.cookie, 'x-xsrf-token': session.csrf }),
    async after({ status }) {
      if (status === 401) session = await open()
    },
  }))
}

/** A program that is closed for maintenance answers every other request with 503. */
const withoutClosing = (draft: Draft): Draft =>
  typeof draft.body === 'object' && draft.body !== null && 'isOn' in draft.body && draft.body.isOn === true
    ? { ...draft, body: { ...draft.body, isOn: false } }
    : draft

function partsOf({ params, query, body }: CallSpec, known: KnownValues) {
  return {
    ...(params && { params: valuesOf(params, known) }),
    ...(query && { query: valuesOf(query, known) }),
    ...(body && { body: valuesOf(body, known) }),
  }
}

function visitorTarget(app: TestApp, partner: string, call: CallSpec, known: KnownValues): FuzzTarget {
  const visitor = visit(app, partner)
  return {
    name: `${call.id} at ${partner} by a visitor`,
    shape: 'api',
    draft: draftOf(call.method, visitor.host, call.path, partsOf(call, known)),
    async credentials() {
      const token: Record<string, string> = needsCsrf(call) ? { 'x-xsrf-token': await visitor.token() } : {}
      return { cookie: cookieOf(visitor.cookies), ...token }
    },
  }
}

function memberTarget(
  member: Awaited<ReturnType<typeof createRenewableMember>>,
  call: CallSpec,
  known: KnownValues,
): FuzzTarget {
  return {
    name: `${call.id} by a member`,
    shape: 'api',
    draft: draftOf(call.method, member.current().visitor.host, call.path, partsOf(call, known)),
    async credentials() {
      const { visitor } = member.current()
      return { cookie: cookieOf(visitor.cookies), 'x-xsrf-token': await visitor.token() }
    },
    async after({ status }) {
      if (status === 401 || (status < 300 && call.method !== 'GET')) await member.renew()
    },
  }
}

/** Returns a signed call: the signature is valid for any changes, so that the code behind it is reached. */
function machineTarget(app: TestApp, call: CallSpec, known: KnownValues): FuzzTarget {
  const { FEED_SECRET } = app.settings
  const key = (path: string) => {
    if (path === fidelPath) return app.programs.get('skyharbor')?.config.fidel?.secretKeys[0] ?? 'none'
    return path.startsWith('/api/feed') ? feedKey(FEED_SECRET, 'skyharbor') : reviewKey(app.settings)
  }
  const isBatch = call.path === feedPaths.batch
  const events = fc.array(valuesOf(FeedEvent, known), { minLength: 1, maxLength: 5 })
  const parts = isBatch ? { body: events } : partsOf(call, known)
  return {
    name: `${call.id} by a machine`,
    shape: 'api',
    draft: draftOf(call.method, `skyharbor.localhost:${app.port}`, call.path, parts, isBatch ? 'lines' : 'json'),
    async credentials(_draft, { target, body }: RawRequest) {
      const timestamp = String(Date.now())
      const message = { body: body ?? '', url: app.origin('skyharbor') + target, timestamp }
      return {
        'x-dineback-timestamp': timestamp,
        'x-dineback-signature': signMessage(key(call.path), message),
      }
    },
  }
}

const texts = (...values: string[]) => fc.constantFrom(...values)

/** Returns addresses outside the API: pages, images, sign-in and sign-out redirects, and hosts without forms. */
export function addressTargets(app: TestApp): FuzzTarget[] {
  const host = (label: string) => `${label}localhost:${app.port}`
  const pages = texts(
    '/',
    '/dine',
    '/login',
    '/SignOut',
    '/Login',
    '/Login/Callback',
    '/preview',
    '/Emulate',
    '/theme.css',
  )
  const art = texts('/art/:a', '/art/:a/menu/:b', '/icons/:a', '/images/:a', '/nowhere/:a')
  const query = fc.record(
    {
      publicId: texts('x', 'AbCdEf'),
      utm_source: texts('mail'),
      pass: texts('x'),
      to: texts('/', '//x'),
      returnTo: texts('/a'),
      code: texts('x'),
      state: texts('x'),
      token: texts('x'),
    },
    { requiredKeys: [] },
  )
  const draft = (label: string, paths: Arbitrary<string>, method = 'GET') =>
    paths.chain((path) =>
      draftOf(method, host(label), path, { query, params: fc.record({ a: texts('x', 'home'), b: texts('0', '99') }) }),
    )
  return [
    { name: 'pages', shape: 'page', draft: draft('skyharbor.', pages) },
    { name: 'pages of a program with a bank', shape: 'page', draft: draft('orchard.', pages) },
    { name: 'pictures', shape: 'api', draft: draft('skyharbor.', art) },
    { name: 'gallery', shape: 'api', draft: draft('', texts('/', '/metrics', '/gallery.css', '/healthz', '/:a')) },
    {
      name: 'sample identity provider',
      shape: 'any',
      draft: draft(
        'id.',
        texts('/', '/auth', '/token', '/session/end', '/interaction/:a', '/interaction/:a/login', '/jwks'),
      ),
    },
    {
      name: 'sample identity provider, forms',
      shape: 'any',
      draft: texts('/token', '/interaction/:a/login', '/introspection').chain((path) =>
        draftOf(
          'POST',
          host('id.'),
          path,
          {
            body: fc.record({ userName: texts('x'), grant_type: texts('authorization_code') }),
            params: fc.constant({ a: 'x' }),
          },
          'form',
        ),
      ),
    },
    {
      name: 'back-channel logout',
      shape: 'any',
      draft: draftOf(
        'POST',
        host('orchard.'),
        '/Login/BackChannelLogout',
        { body: fc.record({ logout_token: texts('x', 'a.b.c') }) },
        'form',
      ),
    },
  ]
}

/** Returns the forms that browsers post without script, from their own page and with what it has passed. */
export function pagePostTargets(app: TestApp): FuzzTarget[] {
  const host = `skyharbor.localhost:${app.port}`
  const value = fc.constantFrom(
    '',
    'on',
    'x',
    'ada@example.com',
    'SKY12345678',
    '10001',
    'sourdough 4 breakfast',
    'é🍜',
  )
  const passed = (path: string) =>
    Buffer.from(JSON.stringify({ path, state: { resetToken: 'x' } })).toString('base64url')
  return pagePosts.flatMap(({ name, paths, fields }) =>
    paths.map((path) => ({
      name: `form ${name} at ${path}`,
      shape: 'any' as const,
      draft: draftOf(
        'POST',
        host,
        path,
        {
          body: fc.record(Object.fromEntries(Object.keys(fields).map((field) => [field, value])), { requiredKeys: [] }),
          query: fc.record({ returnTo: fc.constantFrom('/search', '//evil.example') }, { requiredKeys: [] }),
        },
        'form',
      ),
      credentials: async () => ({ origin: `http://${host}`, cookie: `passed=${passed(path)}` }),
    })),
  )
}

/** Returns every call of the vault, with its API key where required. */
export function vaultTargets(app: TestApp): FuzzTarget[] {
  const host = `vault.localhost:${app.port}`
  const apiKey = deriveKey(app.settings.VAULT_SECRET, 'vault-api').toString('base64url')
  const bearer = { tenant: texts('skyharbor'), holder: texts('AbCdEfGh') }
  const sealed = texts('a.b.c.d.e', 'x')
  const calls: [string, Arbitrary<unknown>][] = [
    [
      '/api/intents',
      fc.record({ ...bearer, parentOrigin: texts(app.origin('skyharbor')), brands: fc.constant(['VISA']) }),
    ],
    ['/api/tokens', fc.record({ ...bearer, encryptedCardNumber: sealed, deviceSession: texts('x') })],
    ['/api/loaded-cards', fc.record({ tenant: bearer.tenant, encryptedCardNumber: sealed })],
    ['/api/tokens/same-expiry', fc.record({ ...bearer, token: texts('tok_x'), home: fc.record(bearer) })],
    ['/api/tokens/forget', fc.record({ tenant: bearer.tenant, tokens: fc.array(texts('tok_x'), { minLength: 1 }) })],
  ]
  const open = texts('/frame', '/provider.js', '/api/keys', '/healthz', '/nowhere').chain((path) =>
    draftOf('GET', host, path, {
      query: fc.record({ intent: texts('x'), ground: texts('ffffff') }, { requiredKeys: [] }),
    }),
  )
  return [
    { name: 'vault addresses', shape: 'vault', draft: open },
    {
      name: 'vault /provider/sessions',
      shape: 'vault',
      draft: draftOf('POST', host, '/provider/sessions', { query: fc.record({ key: texts('x', 'pk_x') }) }),
      credentials: async () => ({ origin: app.origin('skyharbor') }),
    },
    ...calls.map(
      ([path, body]): FuzzTarget => ({
        name: `vault ${path}`,
        shape: 'vault',
        draft: draftOf('POST', host, path, { body }),
        credentials: async () => ({ authorization: `Bearer ${apiKey}` }),
      }),
    ),
  ]
}
