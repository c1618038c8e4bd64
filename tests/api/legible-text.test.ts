import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Tracking } from '../../forms/response-values.ts'
import { ReviewedTransaction } from '../../forms/reviews.ts'
import { callGroups } from '../../src/app/server/openapi/call-groups.ts'
import { MerchantRecord } from '../../src/dining/merchants/catalog/record.ts'
import { EnrolledMember } from '../../src/identity/activation/load-members.ts'
import { Claims } from '../../src/identity/session/sso/finish.ts'
import type { CallSpec } from '../../src/platform/call.ts'
import { anonymousActor, type Ctx } from '../../src/platform/http/context.ts'
import { type RunCall, registerRoute } from '../../src/platform/http/register-route.ts'
import { isLegible } from '../../src/platform/legible-text.ts'
import { PartnerCardLoad } from '../../src/rewards/cards/partner-cards.ts'
import { type TextPath, textPathsOf, withText } from '../support/text-fields.ts'

/** Each is refused or removed for a reason of its own. */
const hostile = ['a\r\nBcc: x@example.com', 'a\x07b', 'a\u202eb', 'a\u2066b', 'a\u2028b', 'a\u200bb', '\ufeff\u3164']

/** Fields that are compared and never shown. */
const secrets = ['body password', 'body passwordConfirm']
/** Fields that may have several lines. */
const multiline = ['openClaim body note', 'loadMembers body lines']

const ctx = { actor: { ...anonymousActor, memberId: 1 }, t: (key: string) => key, requestId: '' } as unknown as Ctx

/** Returns how a call reads its input; its handler does nothing. */
function readerOf(call: CallSpec): { run: RunCall; received: () => unknown } {
  let input: unknown
  const runCalls = new Map<string, RunCall>()
  const app = { calls: [], runCalls, route: () => {} } as unknown as FastifyInstance
  registerRoute(app, call, { ...call, reply: z.unknown() }, (_ctx, given) => {
    input = given
    return null
  })
  return { run: runCalls.get(`${call.method} ${call.path}`) as RunCall, received: () => input }
}

/** The feed's messages are stored as the network sent them; what is shown of one is cleaned when it is read. */
const examples = callGroups
  .flatMap((group) => group.examples)
  .filter(({ call }) => call.access !== 'machine')
  .map(({ call, example }) => ({ call, given: { params: example.params, query: example.query, body: example.body } }))

const parts = ['query', 'body'] as const

test('Case 100 no text field of any call lets a control, bidirectional or invisible character through', async () => {
  const passed: string[] = []
  let tried = 0
  for (const { call, given } of examples) {
    const { run, received } = readerOf(call)
    for (const part of parts) {
      const schema = call[part]
      if (!schema || typeof given[part] === 'string') continue
      for (const path of textPathsOf(schema)) {
        for (const text of hostile) {
          const { status } = await run(ctx, { ...given, [part]: withText(given[part], path, text) }, null)
          tried++
          if (status !== 400 && textsIn((received() as typeof given)[part]).some((found) => !isLegible(found)))
            passed.push(`${call.id} ${part} ${path.join('.')}`)
        }
      }
    }
  }
  const allowed = [...new Set(passed)].filter(
    (field) => !multiline.includes(field) && !secrets.some((secret) => field.endsWith(` ${secret}`)),
  )
  expect(allowed).toEqual([])
  expect(tried).toBeGreaterThan(500)
})

test('Case 100 a note may have several lines, and nothing else that is invisible', async () => {
  const { call, given } = examples.find((each) => each.call.id === 'openClaim') as (typeof examples)[number]
  const statusOf = async (note: string) =>
    (await readerOf(call).run(ctx, { ...given, body: withText(given.body, ['note'], note) }, null)).status
  expect([await statusOf('One\r\ntwo\n\tthree'), await statusOf('One\u202etwo')]).toEqual([200, 400])
})

test('Case 100 counterpart: names of every script, emoji and passwords of any characters are accepted', async () => {
  const { call, given } = examples.find((each) => each.call.id === 'join') as (typeof examples)[number]
  const { run, received } = readerOf(call)
  for (const name of ['علی‌رضا', 'क्‍ष', '👩🏽‍🚀 Ada', 'Zoë O’Brien', '李小龍']) {
    const body = {
      ...(given.body as object),
      firstName: name,
      password: 'a\x07\u200bb 12',
      passwordConfirm: 'a\x07\u200bb 12',
    }
    expect([name, (await run(ctx, { ...given, body }, null)).status]).toEqual([name, 200])
    expect((received() as { body: unknown }).body).toMatchObject({ firstName: name, password: 'a\x07\u200bb 12' })
  }
})

test('Case 100 the field with such a character is named, with a sentence that says what to do', async () => {
  const { call, given } = examples.find((each) => each.call.id === 'join') as (typeof examples)[number]
  const body = withText(given.body, ['firstName'], 'Ana\r\nBcc: x@example.com')
  expect(await readerOf(call).run(ctx, { ...given, body }, null)).toEqual({
    status: 400,
    body: [{ field: 'firstName', message: 'validation.characters' }],
  })
})

test('Case 100 what partners, files and addresses send is cleaned, so that no member is locked out', () => {
  const sent: [string, z.ZodType, Record<string, unknown>][] = [
    [
      'identity provider',
      Claims,
      { iss: 'i', sub: 's', email: 'ana@example.com', given_name: 'Ana', family_name: 'Ruiz' },
    ],
    [
      'loaded member',
      EnrolledMember,
      { email: 'ana@example.com', firstName: 'Ana', lastName: 'Ruiz', zipCode: '10001' },
    ],
    [
      'loaded card',
      PartnerCardLoad,
      { holder: 'h', partnerCardId: 'p', description: 'Gold card', encryptedCardNumber: 'x'.repeat(50) },
    ],
    ['form tracking', Tracking, {}],
    [
      'reviewed transaction',
      ReviewedTransaction,
      { date: '2026-11-01', transactionId: 't', familyId: 'f', merchantName: 'Café', settleType: 'settle' },
    ],
    ['imported restaurant', MerchantRecord, importedRestaurant],
  ]
  /** Ids, which are compared and never shown. */
  const ids = ['iss', 'sub', 'sid', 'holder', 'partnerCardId', 'encryptedCardNumber', 'transactionId', 'familyId']
  const passed: string[] = []
  const refused: string[] = []
  for (const [name, schema, valid] of sent) {
    expect([name, schema.safeParse(valid).success]).toEqual([name, true])
    for (const path of textPathsOf(schema)) {
      const field = `${name} ${path.join('.')}`
      if (ids.includes(String(path[0]))) continue
      for (const text of hostile) {
        const read = schema.safeParse(withText(valid, path, text))
        if (
          read.success &&
          textsIn(read.data).some((found) => !isLegible(found, { multiline: path[0] === 'description' }))
        )
          passed.push(field)
        // The last one has nothing that is visible.
        else if (
          !read.success &&
          text !== hostile.at(-1) &&
          ['given_name', 'firstName', 'description'].includes(String(path[0]))
        )
          refused.push(field)
      }
    }
  }
  expect([...new Set(passed)]).toEqual([])
  expect([...new Set(refused)]).toEqual([])
})

const importedRestaurant = {
  source: 's',
  sourceId: '1',
  name: 'Café',
  city: 'New York',
  state: 'NY',
  latitude: 40,
  longitude: -73,
  timeZone: 'America/New_York',
  joinedOn: '2026-01-01',
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('the paths of text fields include those in lists, variants and optional parts', () => {
  const schema = z.object({
    a: z.string(),
    b: z.array(z.union([z.strictObject({ c: z.string().optional() }), z.strictObject({ d: z.string().nullable() })])),
    n: z.number(),
    e: z.enum(['x']),
  })
  const paths: TextPath[] = [['a'], ['b', 0, 'c'], ['b', 0, 'd']]
  expect(textPathsOf(schema)).toEqual(paths)
  expect(withText({ a: 'x', b: [{ c: 'y' }] }, ['b', 0, 'd'], 'z')).toEqual({ a: 'x', b: [{ c: 'y', d: 'z' }] })
  expect(withText(undefined, ['a'], 'z')).toEqual({ a: 'z' })
})
