import { STATUS_CODES } from 'node:http'
import { type CallSpec, callUrl, needsCsrf } from '../../../platform/call.ts'
import { callGroups, findExample } from './call-groups.ts'
import { parameters, schemaOf } from './document.ts'
import { problemsOf } from './problems.ts'

/** A call as the reference shows it. */
export interface CallView {
  id: string
  method: string
  path: string
  summary: string
  /** Who may call it, and its limits, as sentences. */
  facts: string[]
  parameters: string[][]
  /** Example request and response as HTTP text. */
  request: string
  response: string
  /** Status, code and message of each error. */
  errors: string[][]
  /** JSON Schema; null without a body. */
  requestSchema: string | null
  responseSchema: string
}

export interface CallGroupView {
  tag: string
  description: string
  calls: CallView[]
}

const access = {
  anyone: 'Anyone',
  member: 'Signed-in members',
  machine: 'Machines that sign',
  operator: 'Operators of the console',
} as const

/** Returns the calls by group, sorted by path. Groups without calls are omitted. */
export function describeCalls(calls: readonly CallSpec[]): CallGroupView[] {
  return callGroups.flatMap(({ tag, description }) => {
    const own = calls.filter((call) => findExample(call).tag === tag).toSorted(byPath)
    return own.length > 0 ? [{ tag, description, calls: own.map(describeCall) }] : []
  })
}

const byPath = (a: CallSpec, b: CallSpec) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)
const json = (value: unknown) => JSON.stringify(value, null, 2)

function describeCall(call: CallSpec): CallView {
  const facts = [
    `${access[call.access]}.`,
    call.perMinute && `At most ${call.perMinute} requests per minute and network address.`,
    call.memberOnly && 'Not for operators who impersonate a member.',
  ]
  return {
    id: call.id,
    method: call.method,
    path: call.path,
    summary: call.summary,
    facts: facts.filter((fact) => typeof fact === 'string'),
    parameters: [
      ...parameters(call.params, 'path', {}),
      ...parameters(call.query, 'query', {}),
      ...parameters(call.headers, 'header', {}),
    ].map((each) => [
      String(each.name),
      String(each.in),
      each.required ? 'yes' : 'no',
      [each.description, JSON.stringify(each.schema)].filter(Boolean).join(' '),
    ]),
    request: requestText(call),
    response: responseText(call),
    errors: problemsOf(call).map(({ status, code, title }) => [String(status), code, title]),
    requestSchema: call.body ? json(schemaOf(call.body, 'input')) : null,
    responseSchema: json(schemaOf(call.reply, 'output')),
  }
}

function requestText(call: CallSpec): string {
  const { example } = findExample(call)
  return message(`${call.method} ${callUrl(call, example)}`, {
    headers: {
      ...((call.access === 'member' || needsCsrf(call)) && { Cookie: '__Host-sid=…' }),
      ...(needsCsrf(call) && { 'X-XSRF-TOKEN': '…' }),
      ...(call.bearer && { Authorization: 'Bearer …' }),
      ...(call.access === 'machine' && { 'X-Dineback-Timestamp': '1795200900000', 'X-Dineback-Signature': '…' }),
      ...example.headers,
      ...(call.body && { 'Content-Type': call.bodyType ?? 'application/json' }),
    },
    body: example.body,
  })
}

function responseText(call: CallSpec): string {
  const { status = 200, cookies = [], replyType = 'application/json' } = call
  const setCookie = cookies.length > 0 && { 'Set-Cookie': cookies.map((name) => `${name}=…`).join(', ') }
  return message(`${status} ${STATUS_CODES[status]}`, {
    headers: { ...setCookie, 'Content-Type': replyType },
    body: findExample(call).example.reply,
  })
}

function message(start: string, { headers, body }: { headers: Record<string, string>; body: unknown }): string {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) lines.push('', typeof body === 'string' ? body : json(body))
  return lines.join('\n')
}
