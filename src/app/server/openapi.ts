import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type CallSpec, needsCsrf } from '../../platform/call.ts'
import { FieldErrors, Problem } from '../../platform/errors.ts'
import { escapeHtml as safe } from '../../platform/html.ts'
import { precompress, sendPrecompressed } from './precompressed.ts'

type Json = Record<string, unknown>

/** Serves `/api/openapi.json` and a readable page without scripts, both generated once from the calls. */
export function docsRoutes(app: FastifyInstance): void {
  const json = once(() => precompress(JSON.stringify(openApi(app.calls))))
  const page = once(() => precompress(docsPage(app.calls)))
  app.get('/api/openapi.json', (request, reply) =>
    sendPrecompressed(request, reply, json(), 'application/json; charset=utf-8'),
  )
  app.get('/api/docs', (request, reply) => {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    )
    return sendPrecompressed(request, reply, page(), 'text/html; charset=utf-8')
  })
}

/** Returns the OpenAPI 3.1 document of the calls. */
export function openApi(calls: readonly CallSpec[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dineback',
      version: '1',
      description: 'Every call of the member app and of the card-network feed.',
    },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output'), FieldErrors: schemaOf(FieldErrors, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-sid' } },
    },
  }
}

function operation(call: CallSpec): Json {
  const problemOf = (code: string) => ({
    description: code,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
  const errorCodes: Record<string, string[]> = {}
  for (const [code, status] of Object.entries(call.errors ?? {}))
    errorCodes[status] = [...(errorCodes[status] ?? []), code]
  return {
    operationId: call.id,
    summary: call.summary,
    ...(call.access === 'member' && { security: [{ session: [] }] }),
    parameters: [...parameters(call, 'params', 'path'), ...parameters(call, 'query', 'query'), ...csrfParameter(call)],
    ...(call.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } },
    }),
    responses: {
      [call.status ?? 200]: {
        description: 'Done',
        content: { 'application/json': { schema: schemaOf(call.reply, 'output') } },
      },
      400: {
        description: 'Fields that are wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/FieldErrors' } } },
      },
      ...Object.fromEntries(Object.entries(errorCodes).map(([status, codes]) => [status, problemOf(codes.join(', '))])),
    },
  }
}

function csrfParameter(call: CallSpec): Json[] {
  return needsCsrf(call) ? [{ name: 'X-XSRF-TOKEN', in: 'header', required: true, schema: { type: 'string' } }] : []
}

function parameters(call: CallSpec, part: 'params' | 'query', where: 'path' | 'query'): Json[] {
  const schema = call[part]
  if (!schema) return []
  const json = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (json.required?.includes(name) ?? false),
    schema: property,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return json
}

function docsPage(calls: readonly CallSpec[]): string {
  const rows = [...calls]
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
    .map((call) => {
      const access =
        call.access === 'member' ? 'signed-in members' : call.access === 'machine' ? 'signed machines' : 'anyone'
      const json = safe(JSON.stringify(operation(call), null, 2))
      return `<details id="${call.id}"><summary><b>${call.method}</b> <code>${safe(call.path)}</code> <span>${safe(call.summary)}</span></summary><p>For ${access}${needsCsrf(call) ? '; needs X-XSRF-TOKEN' : ''}.</p><pre tabindex="0">${json}</pre></details>`
    })
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dineback API</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px 20px;color:#1d1a16;background:#fff}summary{cursor:pointer;padding:10px 0;border-bottom:1px solid #ddd}b{display:inline-block;min-width:4.5em}span{color:#555}pre{background:#f6f4ef;padding:16px;overflow:auto;font-size:13px}</style></head><body><main><h1>Dineback API</h1><p>${calls.length} calls, described once in the contracts. The machine-readable form is <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>${rows.join('')}</main></body></html>`
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
