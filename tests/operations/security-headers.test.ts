import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { openConsole, viewAsMember } from '../support/console.ts'
import { send } from '../support/http.ts'
import { memberPassword, newMember } from '../support/members.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
let member: Awaited<ReturnType<typeof newMember>>
let merchantId: string

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_SCHEME: 'https' }, await webForTests())
  await addMerchants(app.database.pools.shared, merchantRecord())
  await untilFound(app, 'kumo')
  const rows = await asOwner<{ public_id: string }>(app, "select public_id from merchants where name = 'Kumo'")
  merchantId = String(rows[0]?.public_id)
  member = await newMember(app, 'gallonaire')
})
afterAll(() => app?.stop())

const names = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'x-frame-options',
  'cross-origin-opener-policy',
  'permissions-policy',
  'strict-transport-security',
]

interface Response {
  status: number
  headers: Readonly<Record<string, unknown>>
}

/** Returns the status and the security headers of a response, without its nonces, hashes and the port of the test. */
function securityOf({ status, headers }: Response): Record<string, unknown> {
  const shown = (value: unknown) =>
    String(value)
      .replaceAll(/'nonce-[^']+'/g, 'NONCE')
      .replaceAll(/'sha256-[^']+'/g, 'HASH')
      .replaceAll(`:${app.port}`, '')
  const sent = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, shown(headers[name])] as const]))
  return { status, ...Object.fromEntries(sent) }
}

const get = (host: string, path: string) =>
  send({ port: app.port, host: `${host}localhost`, path, headers: { accept: 'text/html' } })

async function expectHeaders(expected: Record<string, [Promise<Response>, Record<string, unknown>]>): Promise<void> {
  for (const [name, [response, headers]] of Object.entries(expected)) {
    expect({ name, ...securityOf(await response) }).toEqual({ name, ...headers })
  }
}

/** Runs requests while a table or column has another name, so that they fail. */
async function whileRenamed(rename: (from: string, to: string) => string, name: string, work: () => Promise<void>) {
  await asOwner(app, rename(name, `${name}_away`))
  await work().finally(() => asOwner(app, rename(`${name}_away`, name)))
}
const column = (table: string) => (from: string, to: string) => `alter table ${table} rename column ${from} to ${to}`

const everywhere = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

test('every response of a program has its security headers, and a page in the console’s frame lets only that frame it', async () => {
  const program = { ...everywhere, 'referrer-policy': 'strict-origin-when-cross-origin' }
  const pagePolicy = (framedBy: string) =>
    `default-src 'none'; script-src HASH 'strict-dynamic'; style-src 'self' HASH; img-src 'self' data:; font-src 'self'; connect-src 'self' https://vault.localhost; manifest-src 'self'; worker-src 'self'; frame-src https://vault.localhost https://forms.localhost; frame-ancestors ${framedBy}; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types default sanitized`
  const framedPage = {
    ...program,
    'content-security-policy': pagePolicy('https://console.localhost'),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(), geolocation=(self)',
  }
  const page = { ...framedPage, 'content-security-policy': pagePolicy("'none'"), 'x-frame-options': 'DENY' }
  const image = { ...program, 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }
  const frameOfConsole = {
    ...program,
    'content-security-policy': "default-src 'none'; frame-ancestors https://console.localhost",
  }
  await expectHeaders({
    'home page': [get('gallonaire.', '/'), { status: 200, ...page }],
    'member page': [member.visitor.get('/account/overview'), { status: 200, ...page }],
    'page 404': [get('gallonaire.', '/nowhere'), { status: 404, ...page }],
    API: [get('gallonaire.', '/api/CSRF'), { status: 200, ...program }],
    'API 404': [get('gallonaire.', '/api/nowhere'), { status: 404, ...program }],
    'malformed target': [get('gallonaire.', '//nowhere'), { status: 400, ...program }],
    'target that the router rejects': [get('gallonaire.', '/images/%zz'), { status: 400, ...program }],
    'API description': [
      get('gallonaire.', '/api/docs'),
      {
        status: 200,
        ...program,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      },
    ],
    theme: [get('gallonaire.', '/theme.css'), { status: 200, ...program }],
    mark: [get('gallonaire.', '/mark.svg'), { status: 200, ...image }],
    logo: [get('gallonaire.', '/logo.svg'), { status: 200, ...image }],
    'offline page': [
      get('gallonaire.', '/offline'),
      {
        status: 200,
        ...program,
        'content-security-policy':
          "default-src 'none'; style-src 'self' NONCE; img-src 'self'; font-src 'self'; script-src NONCE; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    ],
    'email of the outbox': [
      get('gallonaire.', '/api/staging/outbox/1'),
      {
        status: 200,
        ...program,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'",
      },
    ],
    'end of an impersonation': [get('gallonaire.', '/Emulate/Ended'), { status: 200, ...frameOfConsole }],
    // The address has a token.
    'rejected impersonation': [
      get('gallonaire.', '/Emulate?token=x'),
      { status: 410, ...frameOfConsole, 'referrer-policy': 'no-referrer' },
    ],
  })
  await whileRenamed(column('merchants'), 'description', () =>
    expectHeaders({
      'page 500': [get('gallonaire.', `/merchants/${merchantId}`), { status: 500, ...page }],
      'API 500': [get('gallonaire.', `/api/v2/Merchants/${merchantId}`), { status: 500, ...program }],
    }),
  )
  const operator = { email: 'sam@dineback.example', name: 'Sam', role: 'support', partners: null } as const
  await addOperator(app.database.consolePools.shared, { ...operator, password: memberPassword })
  const support = await openConsole(app, operator.email, memberPassword)
  const look = await viewAsMember(support, `/gallonaire/members/${member.publicId}`, { reason: 'Asks about a meal' })
  const frame = visit(app, 'gallonaire')
  await expectHeaders({
    'start of an impersonation': [frame.get(look.frame), { status: 303, ...program, 'referrer-policy': 'no-referrer' }],
  })
  await expectHeaders({
    'page in the console': [
      frame.get('/account/overview', { 'sec-fetch-dest': 'iframe' }),
      { status: 200, ...framedPage },
    ],
  })
})

test('leaving a preview removes its cookie, which browsers allow only with the attributes of its name', async () => {
  const { headers } = await get('gallonaire.', '/preview/leave')
  const cookie = [headers['set-cookie']].flat().find((line) => line?.startsWith('__Host-preview='))
  expect(cookie?.split('; ')).toEqual(
    expect.arrayContaining(['__Host-preview=', 'Path=/', 'Secure', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT']),
  )
})

test('every response of the console has its security headers', async () => {
  const programs = ['beacon', 'gallonaire', 'lantern', 'orchard', 'skyharbor'].map(
    (name) => `https://${name}.localhost`,
  )
  const always = { ...everywhere, 'referrer-policy': 'same-origin', 'x-frame-options': 'DENY' }
  const form = {
    ...always,
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${programs.join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  }
  const operator = { email: 'ana@dineback.example', name: 'Ana', role: 'admin', partners: null } as const
  await addOperator(app.database.consolePools.shared, { ...operator, password: memberPassword })
  const admin = await openConsole(app, operator.email, memberPassword)
  const memberPath = `/gallonaire/members/${member.publicId}`
  const view = await viewAsMember(admin, memberPath, { reason: 'Asks about a meal' })
  await expectHeaders({
    'sign-in': [get('console.', '/sign-in'), { status: 200, ...form }],
    'style sheet': [get('console.', '/console.css'), { status: 200, ...form }],
    program: [admin.get('/gallonaire/content'), { status: 200, ...form }],
    'page 404': [admin.get('/gallonaire/a/b/c/d'), { status: 404, ...form }],
    'malformed target': [get('console.', '//nowhere'), { status: 400, ...form }],
    'target that the router rejects': [get('console.', '/%zz'), { status: 400, ...always }],
    editor: [
      admin.get('/gallonaire/earn_details/how-it-works'),
      {
        status: 200,
        ...always,
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; form-action 'self' https://gallonaire.localhost; base-uri 'none'; frame-ancestors 'none'",
      },
    ],
    passkeys: [
      admin.get('/security'),
      {
        status: 200,
        ...always,
        'content-security-policy':
          "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      },
    ],
    impersonation: [
      admin.get(view.begun.location),
      {
        status: 200,
        ...always,
        'content-security-policy':
          "default-src 'none'; style-src 'self'; script-src 'self'; frame-src https://gallonaire.localhost; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      },
    ],
  })
  await whileRenamed(column('members'), 'first_name', () =>
    expectHeaders({
      'page 500': [admin.post(`${memberPath}/look`, { reason: 'Asks again' }), { status: 500, ...form }],
    }),
  )
})

test('every response of the gallery, the forms, the vault and the sample provider has its security headers', async () => {
  const gallery = { ...everywhere, 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' }
  const forms = { ...everywhere, 'referrer-policy': 'same-origin' }
  const formPolicy = (target: string, framedBy: string) =>
    `default-src 'none'; style-src NONCE; script-src NONCE; font-src 'self'; base-uri 'none'; form-action ${target}; frame-ancestors ${framedBy}`
  const notice = { ...forms, 'content-security-policy': formPolicy("'self'", "'none'") }
  const vault = { ...everywhere, 'referrer-policy': 'no-referrer' }
  const framePolicy = (framedBy: string) =>
    `default-src 'none'; script-src NONCE; style-src NONCE; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${framedBy}`
  const idPolicy = "default-src 'none'; style-src NONCE; base-uri 'none'; frame-ancestors 'none'"
  const key = deriveKey(app.settings.VAULT_SECRET, 'vault-api').toString('base64url')
  const created = await send({
    port: app.port,
    host: 'vault.localhost',
    method: 'POST',
    path: '/api/intents',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      tenant: 'gallonaire',
      holder: member.publicId,
      parentOrigin: app.origin('gallonaire'),
      brands: ['VISA'],
    }),
  })
  const frameUrl = new URL(created.json().frameUrl)
  await expectHeaders({
    gallery: [
      get('', '/'),
      {
        status: 200,
        ...gallery,
        'content-security-policy':
          "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    ],
    'gallery’s style sheet': [get('', '/gallery.css'), { status: 200, ...gallery }],
    'gallery 404': [get('', '/nowhere'), { status: 404, ...gallery }],
    'gallery 400': [get('', '//nowhere'), { status: 400, ...gallery }],
    form: [
      get('forms.', '/forms/gallonaire/gal-pump?view=frame'),
      {
        status: 200,
        ...forms,
        'content-security-policy': formPolicy("'self' https://gallonaire.localhost", 'https://gallonaire.localhost'),
      },
    ],
    'form 404': [get('forms.', '/forms/gallonaire/nowhere'), { status: 404, ...notice }],
    'form 400': [get('forms.', '//nowhere'), { status: 400, ...notice }],
    'target that the forms’ router rejects': [get('forms.', '/%zz'), { status: 400, ...notice }],
    'font of a form': [get('forms.', '/fonts/fraunces-400-600.woff2'), { status: 200, ...forms }],
    'vault’s frame': [
      get('vault.', frameUrl.pathname + frameUrl.search),
      { status: 200, ...vault, 'content-security-policy': framePolicy('https://gallonaire.localhost') },
    ],
    'vault’s frame alone': [
      get('vault.', '/frame'),
      { status: 403, ...vault, 'content-security-policy': framePolicy("'none'") },
    ],
    'vault’s script': [get('vault.', '/provider.js'), { status: 200, ...vault }],
    'vault’s API': [get('vault.', '/api/tokens'), { status: 404, ...vault }],
    'vault 400': [get('vault.', '//nowhere'), { status: 400, ...vault }],
    'sample provider 400': [
      get('id.', '//nowhere'),
      { status: 400, 'x-content-type-options': 'nosniff', 'content-security-policy': idPolicy },
    ],
    'sample provider’s error page': [
      get('id.', '/auth?client_id=nowhere'),
      { status: 400, 'x-content-type-options': 'nosniff', 'content-security-policy': idPolicy },
    ],
    'sample provider’s keys': [get('id.', '/jwks'), { status: 200, 'x-content-type-options': 'nosniff' }],
  })
  await whileRenamed(
    (from, to) => `alter table vault.${from} rename to ${to}`,
    'intents',
    () => expectHeaders({ 'vault 500': [get('vault.', '/frame?intent=x'), { status: 500, ...vault }] }),
  )
  const { statusCode: status, headers } = await app.admin.app.inject('/healthz')
  const { 'strict-transport-security': _hsts, ...withoutTls } = gallery
  await expectHeaders({ probe: [Promise.resolve({ status, headers }), { status: 200, ...withoutTls }] })
})
