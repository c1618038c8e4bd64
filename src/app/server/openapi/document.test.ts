import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { type CallSpec, needsCsrf } from '../../../platform/call.ts'
import type { AnyExample } from '../../../platform/call-examples.ts'
import { FieldErrors, Problem } from '../../../platform/errors.ts'
import { callGroups } from './call-groups.ts'
import { openApi } from './document.ts'
import { fieldErrorsExample, problemsOf } from './problems.ts'

const examples = callGroups.flatMap((group) => group.examples)
const calls = examples.map(({ call }) => call)
// biome-ignore lint/suspicious/noExplicitAny: tests look into operations of every shape
const description = openApi(calls) as any

/** Returns the operation of a call, with its error responses in place of references to them. */
function operationOf({ path, method }: CallSpec) {
  const operation = description.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const resolved = Object.entries<any>(operation.responses).map(([status, response]) => [status, resolve(response)])
  return { ...operation, responses: Object.fromEntries(resolved) }
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function resolve(value: any) {
  if (value.$ref === undefined) return value
  const keys: string[] = value.$ref.slice(2).split('/')
  return keys.reduce((found, key) => found[key], description)
}

/** Returns an example's parts that their schemas reject or change: names that a schema does not know are removed. */
function wrongParts(call: CallSpec, given: AnyExample): string[] {
  return (['params', 'query', 'headers', 'body'] as const).filter((part) => {
    const schema: z.ZodType | undefined = call[part]
    if (!schema) return given[part] !== undefined
    const unknown = Object.keys(Object(given[part])).filter((name) => !nameIsIn(schema, name))
    return !schema.safeParse(given[part] ?? {}).success || unknown.length > 0
  })
}

function nameIsIn(schema: z.ZodType, name: string): boolean {
  const shape = (schema as z.ZodObject).shape
  return shape === undefined || Object.keys(shape).length === 0 || Object.hasOwn(shape, name)
}

test('the example of every call passes the schemas of its request and its response', () => {
  for (const { call, example } of examples) {
    expect([call.id, wrongParts(call, example)]).toEqual([call.id, []])
    // Equal: the response has no field that the schema would remove.
    expect([call.id, call.reply.parse(example.reply)]).toEqual([call.id, example.reply])
  }
})

test('the parameters and the bodies of the description have the values of the examples', () => {
  for (const { call, example } of examples) {
    const operation = operationOf(call)
    const values = { ...Object(example.params), ...Object(example.query), ...example.headers }
    const shown = operation.parameters.flatMap((each: { name: string; example?: unknown }) =>
      each.example === undefined ? [] : [[each.name, each.example]],
    )
    expect([call.id, Object.fromEntries(shown)]).toEqual([call.id, values])
    expect(operation.requestBody?.content[call.bodyType ?? 'application/json'].example).toEqual(example.body)
    const success = operation.responses[call.status ?? 200]
    expect(success.description).toBe(STATUS_CODES[call.status ?? 200])
    expect(success.content[call.replyType ?? 'application/json'].example).toEqual(example.reply)
  }
})

test('every error code of a call has an example: a problem document with the default message', () => {
  for (const call of calls) {
    const { responses } = operationOf(call)
    for (const [code, status] of Object.entries(call.errors ?? {})) {
      const { value, summary } = resolve(responses[status].content['application/problem+json'].examples[code])
      expect(Problem.parse(value)).toEqual(value)
      expect([call.id, value.code, value.status]).toEqual([call.id, code, status])
      expect(summary).toBe(value.title)
      // No placeholder is left, and the text is not empty.
      expect([code, value.title]).not.toEqual([code, expect.stringMatching(/[{}]|^$/)])
    }
  }
  expect(FieldErrors.parse(fieldErrorsExample)).toEqual(fieldErrorsExample)
})

test('no declared error code has the message for unknown codes', () => {
  const messages = calls.flatMap((call) => {
    const own = problemsOf(call).filter(({ code, status }) => call.errors?.[code] === status)
    return own.map(({ code, title }) => `${code}: ${title}`)
  })
  expect(messages.filter((text) => text.includes('Something went wrong'))).toEqual([])
})

test('API-002 the security of every operation follows from its access', () => {
  for (const call of calls) {
    const { security, responses } = operationOf(call)
    const schemes = security.map((required: object) => Object.keys(required))
    if (call.access === 'machine') {
      expect(schemes).toEqual([
        ['signature', 'timestamp'],
        ['fidelSignature', 'fidelTimestamp'],
      ])
      continue
    }
    const needed = [
      ...(call.access === 'member' || needsCsrf(call) ? ['session'] : []),
      ...(needsCsrf(call) ? ['csrf'] : []),
      ...(call.bearer ? ['knownMember'] : []),
    ]
    expect([call.id, schemes]).toEqual([call.id, needed.length > 0 ? [needed] : []])
    const codes = Object.keys(responses[401]?.content['application/problem+json'].examples ?? {})
    const isForMembers = call.access === 'member' || call.id === 'getAvailability'
    expect([call.id, codes.includes('unauthorized')]).toEqual([call.id, isForMembers])
  }
})

test('the token of a known member authorizes activation, and nothing else', () => {
  const withToken = calls.filter((call) =>
    operationOf(call).security.some((schemes: object) => 'knownMember' in schemes),
  )
  expect(withToken.map(({ id }) => id).sort()).toEqual(['activate', 'activateById'])
})

test('a description names the limit per minute and the calls that operators may not make, and nothing else', () => {
  const textOf = (call: { perMinute?: number; memberOnly?: boolean }) => {
    const given = { ...(calls[0] as CallSpec), perMinute: undefined, memberOnly: undefined, ...call } as CallSpec
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const { paths } = openApi([given]) as any
    return Object.values<Record<string, { description?: string }>>(paths)[0]?.[given.method.toLowerCase()]?.description
  }
  const limit = 'At most 7 requests per minute and network address.'
  const memberOnly = 'Operators who impersonate a member may not make this call.'
  expect([textOf({}), textOf({ perMinute: 7 }), textOf({ memberOnly: true })]).toEqual([undefined, limit, memberOnly])
  expect(textOf({ perMinute: 7, memberOnly: true })).toBe(`${limit} ${memberOnly}`)
})

test('no component is unused, and every reference has its component', () => {
  const text = JSON.stringify(description)
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name))
  const { securitySchemes, ...components } = description.components
  const defined = Object.entries<object>(components).flatMap(([kind, byName]) =>
    Object.keys(byName).map((name) => `${kind}/${name}`),
  )
  expect([...used].sort()).toEqual(defined.sort())
  const schemes = calls.flatMap((call) => operationOf(call).security.flatMap(Object.keys))
  expect([...new Set(schemes)].sort()).toEqual(Object.keys(securitySchemes).sort())
})

test('every tag is described once, and every call has one', () => {
  const names = description.tags.map(({ name }: { name: string }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(calls.map((call) => operationOf(call).tags[0]))).toEqual(new Set(names))
  expect(description.tags.every((tag: { description: string }) => tag.description.endsWith('.'))).toBe(true)
})
