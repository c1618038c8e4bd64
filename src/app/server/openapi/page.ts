import { STATUS_CODES } from 'node:http'
import { type CallSpec, callUrl, needsCsrf } from '../../../platform/call.ts'
import { escapeHtml as safe } from '../../../platform/html.ts'
import { callGroups, findExample } from './call-groups.ts'
import { conventions } from './conventions.ts'
import { parameters, schemaOf } from './document.ts'
import { problemsOf } from './problems.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px 20px;color:#1d1a16;background:#fff}
h2{margin:40px 0 4px}h3{font-size:16px;margin:20px 0 4px}
summary{cursor:pointer;padding:10px 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:4.5em}summary span{color:#555;display:block}
pre,.table{background:#f6f4ef;padding:12px 16px;margin:4px 0;overflow:auto;font-size:13px}
table{border-collapse:collapse}td,th{padding:3px 12px 3px 0;text-align:left;vertical-align:top}
nav a{display:inline-block;padding:6px 12px 6px 0}dt{font-weight:bold;margin-top:12px}dd{margin:0}
.call{padding:0 0 16px 12px}`

const access = { anyone: 'Anyone', member: 'Signed-in members', machine: 'Machines that sign' } as const

/** Returns the API description as a page for people: each call with an example, its errors and its schemas. */
export function docsPage(calls: readonly CallSpec[]): string {
  const used = new Set(calls.map((call) => findExample(call).tag))
  const groups = callGroups.filter(({ tag }) => used.has(tag))
  const links = groups.map(({ tag }) => `<a href="#${anchor(tag)}">${safe(tag)}</a>`)
  const sections = groups.map(({ tag, description }) => {
    const own = calls.filter((call) => findExample(call).tag === tag).toSorted(byPath)
    return `<section id="${anchor(tag)}"><h2>${safe(tag)}</h2><p>${safe(description)}</p>${own.map(callSection).join('')}</section>`
  })
  const common = conventions.map(({ title, text }) => `<dt>${title}</dt><dd>${markdown(text)}</dd>`)
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dineback API</title><style>${style}</style></head><body><main><h1>Dineback API</h1><p>${calls.length} calls, described once in the contracts. The machine-readable form is <a href="/api/openapi.json">OpenAPI 3.1</a>.</p><nav aria-label="Groups of calls">${links.join(' ')}</nav><h2>Conventions</h2><dl>${common.join('')}</dl>${sections.join('')}</main></body></html>`
}

const anchor = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')
const markdown = (text: string) => safe(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const byPath = (a: CallSpec, b: CallSpec) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)

function callSection(call: CallSpec): string {
  const facts = [
    `${access[call.access]}.`,
    call.perMinute && `At most ${call.perMinute} requests per minute and network address.`,
    call.memberOnly && 'Not for operators who impersonate a member.',
  ].filter(Boolean)
  return `<details id="${call.id}"><summary><b>${call.method}</b> <code>${safe(call.path)}</code> <span>${safe(call.summary)}</span></summary><div class="call"><p>${facts.join(' ')}</p>${parameterTable(call)}<h3>Request</h3>${pre(requestText(call))}<h3>Response</h3>${pre(responseText(call))}<h3>Errors</h3>${errorTable(call)}${schemas(call)}</div></details>`
}

const pre = (text: string) => `<pre tabindex="0">${safe(text)}</pre>`

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${safe(String(cell))}</td>`).join('')}</tr>`)
  return `<div class="table" tabindex="0"><table><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr>${cells.join('')}</table></div>`
}

function parameterTable(call: CallSpec): string {
  const all = [
    ...parameters(call.params, 'path', {}),
    ...parameters(call.query, 'query', {}),
    ...parameters(call.headers, 'header', {}),
  ]
  if (all.length === 0) return ''
  const rows = all.map((each) => [
    each.name,
    each.in,
    each.required ? 'yes' : 'no',
    [each.description, JSON.stringify(each.schema)].filter(Boolean).join(' '),
  ])
  return `<h3>Parameters</h3>${table(['Name', 'In', 'Required', 'Value'], rows)}`
}

function errorTable(call: CallSpec): string {
  const rows = problemsOf(call).map(({ status, code, title }) => [status, code, title])
  return table(['Status', 'Code', 'Message'], rows)
}

/** Returns the example request as HTTP text. */
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

/** Returns the example response as HTTP text. */
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
  if (body !== undefined) lines.push('', typeof body === 'string' ? body : JSON.stringify(body, null, 2))
  return lines.join('\n')
}

function schemas(call: CallSpec): string {
  const body = call.body ? `<h3>Request schema</h3>${pre(JSON.stringify(schemaOf(call.body, 'input'), null, 2))}` : ''
  const reply = `<h3>Response schema</h3>${pre(JSON.stringify(schemaOf(call.reply, 'output'), null, 2))}`
  return `<details><summary>Schemas</summary>${body}${reply}</details>`
}
