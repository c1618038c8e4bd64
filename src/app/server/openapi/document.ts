import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { type CallSpec, programVersionHeader } from '../../../platform/call.ts'
import type { AnyExample } from '../../../platform/call-examples.ts'
import { RETRY_AFTER_SECONDS } from '../../../platform/database/database-unavailable.ts'
import { FieldErrors, Problem } from '../../../platform/errors.ts'
import { callGroups, findExample } from './call-groups.ts'
import { conventions } from './conventions.ts'
import { fieldErrorsExample, problemsOf } from './problems.ts'
import { securityOf, securitySchemes } from './security.ts'

type Json = Record<string, unknown>

const description = [
  'Every call of the member app and of the card-network feed. Each program is served by its own host name, with the ' +
    'same calls.',
  ...conventions.map(({ title, text }) => `**${title}.** ${text}`),
].join('\n\n')

/** Returns the OpenAPI 3.1 document of the calls. */
export function openApi(calls: readonly CallSpec[]): Json {
  const paths: Record<string, Json> = {}
  const shared = { examples: createComponents('examples'), responses: createComponents('responses') }
  const placeOf = (call: CallSpec) => findExample(call).place
  for (const call of calls.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, shared) }
  }
  const used = new Set(calls.map((call) => findExample(call).tag))
  return {
    openapi: '3.1.0',
    info: { title: 'Dineback', version: '1', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'The host name of the program, which serves this document.' }],
    tags: callGroups.filter(({ tag }) => used.has(tag)).map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output'), FieldErrors: schemaOf(FieldErrors, 'output') },
      headers: {
        RetryAfter: {
          description: 'Seconds after which the request may be sent again.',
          schema: { type: 'integer' },
          example: RETRY_AFTER_SECONDS,
        },
        ProgramVersion: {
          description: 'Changes with the content and the feature flags of the program, as in `getProgramVersion`.',
          schema: { type: 'string' },
          example: 'GTom9U2h1kqf.lG95Svuo',
        },
      },
      securitySchemes: usedSchemes(calls),
      examples: shared.examples.byName,
      responses: shared.responses.byName,
    },
  }
}

function usedSchemes(calls: readonly CallSpec[]): Json {
  const used = new Set(calls.flatMap((call) => securityOf(call).flatMap(Object.keys)))
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)))
}

interface Shared {
  examples: Components
  responses: Components
}

function operation(call: CallSpec, shared: Shared): Json {
  const { tag, example } = findExample(call)
  const limits = [
    call.perMinute && `At most ${call.perMinute} requests per minute and network address.`,
    call.memberOnly && 'Operators who impersonate a member may not make this call.',
  ].filter(Boolean)
  return {
    operationId: call.id,
    tags: [tag],
    summary: call.summary,
    ...(limits.length > 0 && { description: limits.join(' ') }),
    security: securityOf(call),
    parameters: [
      ...parameters(call.params, 'path', example.params),
      ...parameters(call.query, 'query', example.query),
      ...parameters(call.headers, 'header', example.headers),
    ],
    ...(call.body && {
      requestBody: { required: true, content: content(call.bodyType, schemaOf(call.body, 'input'), example.body) },
    }),
    responses: { [call.status ?? 200]: success(call, example), ...errorResponses(call, shared) },
  }
}

function content(type: string | undefined, schema: Json, example: unknown): Json {
  return { [type ?? 'application/json']: { schema, example } }
}

function success(call: CallSpec, example: AnyExample): Json {
  const { status = 200, cookies } = call
  return {
    description: STATUS_CODES[status],
    headers: {
      [programVersionHeader]: { $ref: '#/components/headers/ProgramVersion' },
      ...(cookies && {
        'Set-Cookie': {
          description: `Sets or deletes ${cookies.map((name) => `\`${name}\``).join(', ')}.`,
          schema: { type: 'string' },
          example: `${cookies[0]}=q3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5Zpk; Path=/; HttpOnly; Secure; SameSite=Lax`,
        },
      }),
    },
    content: content(call.replyType, schemaOf(call.reply, 'output'), example.reply),
  }
}

function errorResponses(call: CallSpec, shared: Shared): Json {
  const hasInput = [call.params, call.query, call.body].some(Boolean)
  const byStatus = Map.groupBy(problemsOf(call), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, problems]) => [
      status,
      shared.responses.refer(`${status}_${problems.map(({ code }) => code).join('_')}`, {
        description: problems.map(({ code, title }) => `- \`${code}\`: ${title}`).join('\n'),
        ...((status === 503 || problems.some(({ code }) => code === 'tooMany')) && {
          headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        }),
        content: {
          ...(status === 400 &&
            hasInput && {
              'application/json': {
                schema: { $ref: '#/components/schemas/FieldErrors' },
                example: fieldErrorsExample,
              },
            }),
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              problems.map((problem) => [
                problem.code,
                shared.examples.refer(`${problem.status}_${problem.code}`, { summary: problem.title, value: problem }),
              ]),
            ),
          },
        },
      }),
    ]),
  )
}

interface Components {
  byName: Record<string, Json>
  /** Stores an object once and returns a reference to it. */
  refer: (name: string, value: Json) => { $ref: string }
}

/** Objects that several operations share. A different object of the same name gets a number. */
function createComponents(kind: string): Components {
  const byName: Record<string, Json> = {}
  return {
    byName,
    refer(name, value) {
      const text = JSON.stringify(value)
      let unique = name
      for (let n = 2; byName[unique] && JSON.stringify(byName[unique]) !== text; n++) unique = `${name}_${n}`
      byName[unique] = value
      return { $ref: `#/components/${kind}/${unique}` }
    },
  }
}

/** Returns the parameters of a schema's fields, with their values in the example. */
export function parameters(
  schema: z.ZodType | undefined,
  where: 'path' | 'query' | 'header',
  example: unknown,
): Json[] {
  if (!schema) return []
  const values = (example ?? {}) as Json
  const json = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || (json.required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema: property,
    ...(Object.hasOwn(values, name) && { example: values[name] }),
  }))
}

/** Returns the JSON schema of a request (`input`) or a response (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: asNumber,
  }) as Json
  return json
}

/** Describes numbers that are also accepted as text, as in query strings, as the numbers they become. */
function asNumber({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  const { def } = zodSchema._zod
  if (def.type !== 'pipe' || !(def.out instanceof z.ZodNumber)) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, schemaOf(def.out, 'input'))
}
