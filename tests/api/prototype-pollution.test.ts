import { expect, test } from 'vitest'
import { withOverrides } from '../../src/programs/partners/rules.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

const keys = ['__proto__', 'constructor', 'prototype']
/** Payloads that set a property on every object, at some depth. */
const payloads = keys.flatMap((key) =>
  ['polluted', 'isAdmin', 'memberId', 'toString'].flatMap((name) => [
    `{"${key}":{"${name}":1}}`,
    `{"a":{"${key}":{"${name}":1}}}`,
    `{"${key}":{"prototype":{"${name}":1}}}`,
    `[{"${key}":{"${name}":1}}]`,
    `{"email":"a@b.example","${key}":{"${name}":1}}`,
  ]),
)
const calls = [
  '/api/Members/Prospects',
  '/api/Impressions',
  '/api/Member/Activate',
  '/api/staging/flags',
  '/api/Members/Prospects/Email',
]

const clean = () => {
  const probe = {} as Record<string, unknown>
  return (
    probe.polluted === undefined &&
    probe.isAdmin === undefined &&
    probe.memberId === undefined &&
    typeof probe.toString === 'function'
  )
}

test('Case 37 no body and no query reaches Object.prototype, and every one of them is rejected', async () => {
  const visitor = visit(app, 'gallonaire')
  const token = await visitor.token()
  let sent = 0
  for (const call of calls) {
    for (const payload of payloads) {
      const method = call.endsWith('flags') ? 'PUT' : 'POST'
      const response = await visitor.send(method, call, payload, {
        'x-xsrf-token': token,
        'sec-fetch-site': 'same-origin',
      })
      expect([call, payload, [400, 429].includes(response.status)]).toEqual([call, payload, true])
      sent++
    }
  }
  for (const key of keys) {
    for (const query of [`${key}=1`, `${key}[polluted]=1`, `${key}.polluted=1`, `preview=1&${key}[polluted]=1`]) {
      const response = await visitor.get(`/api/cms/pages/home/?${query}`)
      expect([query, response.status]).toEqual([query, 400])
      sent++
    }
  }
  expect(sent).toBeGreaterThanOrEqual(300)
  expect(clean()).toBe(true)
})

test('Case 37 no configuration and no feature flag reaches Object.prototype', () => {
  const config = app.programs.get('skyharbor')?.config
  if (!config) throw new Error('no program')
  for (const payload of payloads) {
    const given = JSON.parse(payload) as object
    expect(ProgramConfig.safeParse(given).success).toBe(false)
    const changed = withOverrides(config, given as Record<string, unknown>)
    expect(changed).toEqual(config)
  }
  expect(clean()).toBe(true)
})

test('Case 37 counterpart: a merge that checks no key does pollute, and the test detects it', () => {
  type Loose = Record<string, unknown>
  const merge = (into: Loose, from: Loose) => {
    for (const key in from) {
      if (typeof from[key] !== 'object') into[key] = from[key]
      else {
        into[key] = into[key] ?? {}
        merge(into[key] as Loose, from[key] as Loose)
      }
    }
  }
  try {
    merge({}, JSON.parse('{"__proto__":{"polluted":1}}'))
    expect(clean()).toBe(false)
  } finally {
    delete (Object.prototype as unknown as Record<string, unknown>).polluted
  }
})
