import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { expect, test } from 'vitest'
import { join } from '../../src/identity/enrollment/schemas.ts'
import { getCsrf } from '../../src/identity/session/contract.ts'
import * as sessionSchemas from '../../src/identity/session/schemas.ts'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember } from '../support/members.ts'

const app = setUpTestApp()

interface Finding {
  ruleId: string
  location: { pointer: string }[]
}

/** Returns what Redocly CLI finds with its recommended rules: `rule pointer`. */
function lint(document: string): string[] {
  const folder = mkdtempSync(joinPath(tmpdir(), 'openapi-'))
  const file = joinPath(folder, 'openapi.json')
  writeFileSync(file, document)
  const args = ['lint', '--extends=recommended', '--format=json', '--max-problems=1000', file]
  // Without these variables it reports its use and looks for updates.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = 'node_modules/@redocly/cli/bin/cli.js'
  const { stdout } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const { problems } = JSON.parse(stdout) as { problems: Finding[] }
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
}

test('API-017 the API description has no finding under the recommended rules except the slash of content paths', async () => {
  const { text } = await visit(app, 'skyharbor').get('/api/openapi.json')
  // API-017 and the programs' cmsRoute fix these paths.
  expect(lint(text)).toEqual([
    'no-path-trailing-slash #/paths/~1api~1cms~1{contentType}~1{contentName}~1',
    'no-path-trailing-slash #/paths/~1beacon~1cms~1{contentType}~1{contentName}~1',
  ])
  // The linter also reads the examples.
  const wrong = JSON.parse(text)
  wrong.paths['/api/CSRF'].get.responses[200].content['application/json'].example = { csrfToken: 7 }
  expect(lint(JSON.stringify(wrong))).toContainEqual(expect.stringMatching(/^no-invalid-media-type-examples .*CSRF/))
})

test('the problem documents of the description are those that the app sends', async () => {
  const visitor = visit(app, 'orchard')
  const { components } = (await visitor.get('/api/openapi.json')).json()
  const json = { 'content-type': 'application/json' }
  const responses = {
    '400_badRequest': await visitor.change('POST', '/api/SignIn', '{', json),
    '401_unauthorized': await visitor.get('/api/Member'),
    '403_csrf': await visitor.send('POST', '/api/SignIn', {}),
    '404_merchantNotFound': await visitor.get('/api/v2/Merchants/nothing'),
    '413_tooLarge': await visitor.change('POST', '/api/SignIn', { userName: 'x'.repeat(70_000) }),
    '415_notJson': await visitor.change('POST', '/api/SignIn', 'a', { 'content-type': 'text/plain' }),
    '422_locationUnknown': await visitor.get('/api/v2/Merchants/Search?location=qqqqzzzz'),
    '401_badSignature': await visitor.send('POST', '/api/feed/events', {}),
  }
  for (const [name, response] of Object.entries(responses)) {
    const { value } = components.examples[name]
    expect([name, { ...response.json(), reference: value.reference }]).toEqual([name, value])
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.headers['x-request-id']).toBe(response.json().reference)
  }
})

test('the responses have the headers and the media types of the description', async () => {
  const visitor = visit(app, 'skyharbor')
  const { components, paths } = (await visitor.get('/api/openapi.json')).json()
  const session = await visitor.get(getCsrf.path)
  const cookies = [session.headers['set-cookie']].flat().map((cookie) => String(cookie).split('=')[0])
  // Over plain http the names lack the prefix.
  expect(cookies.map((name) => `__Host-${name}`)).toEqual(sessionSchemas.getCsrf.cookies)
  const { description } = paths[getCsrf.path].get.responses[200].headers['Set-Cookie']
  expect(description).toContain('`__Host-sid`')
  expect(Object.keys(paths[getCsrf.path].get.responses[200].headers)).toEqual(['program-version', 'Set-Cookie'])
  expect(session.headers['program-version']).toMatch(/./)

  const { visitor: member } = await newMember(app, 'orchard')
  expect([...member.cookies.keys()].sort()).toEqual(join.cookies.map((name) => name.replace('__Host-', '')).sort())
  const csv = await member.get('/api/Member/Activity/Export')
  const types = Object.keys(paths['/api/Member/Activity/Export'].get.responses[200].content)
  expect(types).toEqual([String(csv.headers['content-type']).split(';')[0]])

  const { description: limit, responses } = paths['/api/Members/Validate/Email'].get
  expect(limit).toContain('At most 10 requests')
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) {
    const response = await visitor.get('/api/Members/Validate/Email?email=ana%40example.com')
    statuses.push(response.status)
    if (count === 10) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  // The wider network of an IPv6 address has a limit of its own: ten times as many, over all its /64.
  const wide = []
  for (let count = 0; count < 101; count++) {
    const other = visit(app, 'skyharbor', { address: `2001:db8:77:${count.toString(16)}::1` })
    wide.push(await other.get('/api/Members/Validate/Email?email=ana%40example.com'))
  }
  expect(wide.map(({ status }) => status)).toEqual([...Array(100).fill(200), 429])
  expect(Number(wide.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  expect(responses[429].$ref).toBe('#/components/responses/429_tooMany')
  const { title } = components.examples['429_tooMany'].value
  expect(wide.at(-1)?.json()).toMatchObject({ code: 'tooMany', title })
})
