import fc, { type Arbitrary } from 'fast-check'
import { FieldErrors, Problem } from '../../src/platform/errors.ts'
import { type Draft, type Mutation, mutate, mutations } from './mutations.ts'
import { type RawRequest, type RawResponse, sendRaw } from './raw-http.ts'

/** The format of 4xx responses: a problem document or field errors, a page, or the vault's error code. */
export type ErrorShape = 'api' | 'page' | 'vault' | 'any'

/** An endpoint, and how its requests are generated. */
export interface FuzzTarget {
  name: string
  shape: ErrorShape
  draft: Arbitrary<Draft>
  /** Fills in values that change with every session, after all mutations. */
  finish?: (draft: Draft) => Draft
  /** Values that only the sender knows: cookies, tokens, signatures. Called with the finished request. */
  credentials?: (draft: Draft, request: RawRequest) => Promise<Record<string, string>>
  /** Called with every response, to renew what a request has ended. */
  after?: (response: RawResponse) => Promise<void>
}

export interface FuzzOptions {
  port: number
  calls: number
  seed: number
}

/** Sends generated requests, valid and mutated, one after the other. Throws with the smallest failing request. */
export async function fuzz(targets: readonly FuzzTarget[], { port, calls, seed }: FuzzOptions) {
  const statuses: Record<number, number> = {}
  let failure: { request: RawRequest; fault: string } | null = null
  let sent = 0
  const cases = fc.nat(targets.length - 1).chain((index) => {
    const target = targets[index] as FuzzTarget
    return fc.record({ target: fc.constant(target), draft: target.draft, changes: mutations })
  })
  const property = fc.asyncProperty(cases, async ({ target, draft, changes }) => {
    const request = await requestOf(target, draft, changes)
    // Each request uses its own address, because limits are per address.
    const from = `127.${100 + ((sent >> 16) % 100)}.${(sent >> 8) & 255}.${sent & 255}`
    sent++
    const response = await sendRaw(port, request, from).catch((error: Error) => error)
    // A changed target may be the address of a page.
    const mayReachPage = changes.some(({ how }) => how === 'target') && !request.target.startsWith('/api/')
    const shapes: ErrorShape[] = mayReachPage ? [target.shape, 'page'] : [target.shape]
    const fault = response instanceof Error ? response.message : faultOf(shapes, request, response)
    if (fault !== null) {
      failure = { request, fault }
      throw new Error(fault)
    }
    statuses[(response as RawResponse).status] = (statuses[(response as RawResponse).status] ?? 0) + 1
    await target.after?.(response as RawResponse)
  })
  const result = await fc.check(property, { numRuns: calls, seed })
  if (result.failed) {
    const report = reportOf(seed, result.counterexample?.[0], failure)
    throw new Error(report, { cause: result.errorInstance })
  }
  return { statuses, sent }
}

async function requestOf(target: FuzzTarget, draft: Draft, changes: readonly Mutation[]): Promise<RawRequest> {
  const mutated = mutate(draft, changes)
  const changed = target.finish?.(mutated) ?? mutated
  const body = changed.bytes ?? bodyOf(changed)
  const type = {
    json: 'application/json',
    form: 'application/x-www-form-urlencoded',
    lines: 'application/x-ndjson',
  }[changed.bodyType]
  const request = {
    method: changed.method,
    target: changed.target ?? targetOf(changed),
    headers: { host: changed.host, ...(body !== null && { 'content-type': type }) },
    body,
  }
  const credentials = (await target.credentials?.(changed, request)) ?? {}
  const all = { ...request.headers, ...credentials, ...changed.headers }
  // A header must be one line of Latin-1.
  const headers = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, (value ?? '').replace(/[\r\n\0]/g, '')]),
  )
  return { ...request, headers }
}

function bodyOf({ body, bodyType, method }: Draft): Buffer | null {
  if (body === undefined || method === 'GET' || method === 'HEAD') return null
  if (bodyType === 'json') return Buffer.from(JSON.stringify(body))
  if (bodyType === 'lines')
    return Buffer.from(
      [body]
        .flat()
        .map((line) => JSON.stringify(line))
        .join('\n'),
    )
  return Buffer.from(formText(body))
}

function targetOf({ path, params, query }: Draft): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encode(params[name] ?? ''))
  const search = formText(query)
  return search === '' ? filled : `${filled}?${search}`
}

function formText(fields: unknown): string {
  if (typeof fields !== 'object' || fields === null) return encode(fields)
  return Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((each) => `${encode(name)}=${encode(each)}`))
    .join('&')
}

/** Percent-encodes everything, including lone surrogates, which no browser would send. */
function encode(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
  return Array.from(text.slice(0, 3_000), (sign) =>
    sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80',
  ).join('')
}

/** Returns the fault of a response, or null. */
function faultOf(shapes: readonly ErrorShape[], { method }: RawRequest, response: RawResponse): string | null {
  const { status, headers, text } = response
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`
  const failedLine = status === 207 && /"status":5\d\d/.exec(text)
  if (failedLine) return `a line of the batch failed: ${text.slice(0, 300)}`
  if (status < 400 || method === 'HEAD') return null
  const type = headers['content-type'] ?? ''
  if (shapes.some((shape) => shape === 'any' || hasShape(shape, type, text))) return null
  return `status ${status} has another shape than ${shapes.join(' or ')}: ${type} ${text.slice(0, 300)}`
}

function hasShape(shape: ErrorShape, type: string, text: string): boolean {
  // Errors before host resolution are always problem documents.
  if (type.startsWith('application/problem+json')) return Problem.safeParse(parsed(text)).success
  if (shape === 'page') return type.startsWith('text/html') && text.includes('<html')
  if (shape === 'api') return type.startsWith('application/json') && FieldErrors.min(1).safeParse(parsed(text)).success
  const error = (parsed(text) as { error?: unknown } | null)?.error
  return type.startsWith('text/html') || (type.startsWith('application/json') && typeof error === 'string')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Counterexample {
  target: FuzzTarget
  changes: readonly Mutation[]
}

function reportOf(
  seed: number,
  counterexample: Counterexample | undefined,
  failure: { request: RawRequest; fault: string } | null,
): string {
  if (!failure) return `seed ${seed}: no request could be made`
  const { method, target, headers, body } = failure.request
  return [
    `FUZZ_SEED=${seed}: ${failure.fault}`,
    `endpoint: ${counterexample?.target.name}; changes: ${JSON.stringify(counterexample?.changes)}`,
    `${method} ${target}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body === null ? '(no body)' : JSON.stringify(body.subarray(0, 4_000).toString('latin1')),
  ].join('\n')
}
