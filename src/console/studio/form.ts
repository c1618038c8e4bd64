import { type Html, html, Html as Raw } from '../../platform/html.ts'

/** The part of the `z.toJSONSchema` output that content uses. */
export interface Schema {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  enum?: string[]
  const?: string
  default?: unknown
  maxLength?: number
}

type Value = unknown

/** Form context: the errors by dotted path. */
interface FormContext {
  errors: Readonly<Record<string, string>>
}

/** Renders a value as form fields according to a schema. Inputs are named by dotted path. */
export function fieldsOf(schema: Schema, value: Value, path: string, context: FormContext): Html {
  if (schema.properties) return objectFields(schema, value, path, context)
  if (schema.type === 'array') return listFields(schema, value, path, context)
  if (schema.type === 'boolean') {
    return html`<div class="field"><label class="check"><input type="checkbox" name="${path}"${value === true && new Raw(' checked')}> ${labelOf(path)}</label></div>`
  }
  if (schema.enum) return choiceField(schema.enum, value, path, context)
  return textField(schema, value, path, context)
}

function objectFields(schema: Schema, value: Value, path: string, context: FormContext): Html {
  const fields = (value ?? {}) as Record<string, Value>
  return html`${Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (inner.const !== undefined) return html`<input type="hidden" name="${at}" value="${inner.const}">`
    const optional = !schema.required?.includes(name)
    // An optional choice starts with an empty option.
    if (inner.enum && optional && inner.default === undefined)
      return choiceField(['', ...inner.enum], fields[name], at, context)
    if (!inner.properties) return fieldsOf(inner, fields[name], at, context)
    const present = fields[name] !== undefined || !optional
    return html`<fieldset><legend>${labelOf(at)}</legend>${optional && html`<label class="check"><input type="checkbox" name="${at}.?"${present && new Raw(' checked')}> Use this</label>`}${fieldsOf(inner, fields[name], at, context)}</fieldset>`
  })}`
}

/** A list of enum values renders as checkboxes; any other list as a group with add and remove buttons. */
function listFields(schema: Schema, value: Value, path: string, context: FormContext): Html {
  const list = Array.isArray(value) ? value : []
  const item = schema.items ?? {}
  if (item.enum) {
    return html`<fieldset><legend>${labelOf(path)}</legend>${item.enum.map(
      (name) =>
        html`<label class="check"><input type="checkbox" name="${path}" value="${name}"${list.includes(name) && new Raw(' checked')}> ${name}</label>`,
    )}${errorOf(path, context)}</fieldset>`
  }
  const variants = item.oneOf ?? item.anyOf
  const adds = variants?.map((variant) => typeNames(variant)[0] ?? '') ?? ['']
  return html`<fieldset><legend>${labelOf(path)}</legend><input type="hidden" name="${path}.#" value="${list.length}">
${list.map((each, index) => itemFields(item, each, { path: `${path}.${index}`, index, count: list.length }, context))}
${errorOf(path, context)}
<div class="tools">${adds.map((type) => html`<button class="quiet small" name="act" value="add:${path}:${type}">Add ${type === '' ? 'one' : type.replaceAll('_', ' ')}</button>`)}</div></fieldset>`
}

function itemFields(
  item: Schema,
  value: Value,
  at: { path: string; index: number; count: number },
  context: FormContext,
): Html {
  const { path, index, count } = at
  const schema = variantFor(item, value)
  const type = (value as { type?: string } | null)?.type
  const tool = (act: string, label: string) =>
    html`<button class="quiet small" name="act" value="${act}:${path}" aria-label="${label}: ${labelOf(path)} ${index + 1}">${label}</button>`
  return html`<fieldset><legend>${index + 1}${type && `: ${type.replaceAll('_', ' ')}`}</legend>
<div class="tools">${index > 0 && tool('up', 'Up')}${index < count - 1 && tool('down', 'Down')}${tool('drop', 'Remove')}</div>
${fieldsOf(schema, value, path, context)}</fieldset>`
}

function choiceField(names: string[], value: Value, path: string, context: FormContext): Html {
  return html`<div class="field"><label for="${path}">${labelOf(path)}</label><select id="${path}" name="${path}">${names.map(
    (name) => html`<option${name === value && new Raw(' selected')}>${name}</option>`,
  )}</select>${errorOf(path, context)}</div>`
}

function textField(schema: Schema, value: Value, path: string, context: FormContext): Html {
  const text = value === undefined || value === null ? '' : String(value)
  const wrong = context.errors[path]
  const described = wrong ? html` aria-invalid="true" aria-describedby="${path}-error"` : null
  const long = schema.format === 'html' || (schema.maxLength ?? 0) > 250
  const control = long
    ? html`<textarea id="${path}" name="${path}"${described}>
${text}</textarea>`
    : html`<input id="${path}" name="${path}" value="${text}"${described}>`
  return html`<div class="field"><label for="${path}">${labelOf(path)}${schema.format === 'html' && html` <span class="muted">HTML</span>`}</label>${control}${errorOf(path, context)}</div>`
}

function errorOf(path: string, { errors }: FormContext): Html | null {
  const wrong = errors[path]
  return wrong ? html`<p class="error" id="${path}-error">${wrong}</p>` : null
}

function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const label = name.replaceAll('_', ' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const typeNames = ({ properties }: Schema): string[] => {
  const type = properties?.type
  return type?.const !== undefined ? [type.const] : (type?.enum ?? [])
}

function variantFor(item: Schema, value: Value): Schema {
  const variants = item.oneOf ?? item.anyOf
  if (!variants) return item
  const type = (value as { type?: string } | null)?.type ?? ''
  return variants.find((variant) => typeNames(variant).includes(type)) ?? (variants[0] as Schema)
}

/** Parses a submitted form; the inverse of `fieldsOf`. */
export function readForm(schema: Schema, sent: URLSearchParams, path = ''): Value {
  if (schema.properties) return objectOf(schema, sent, path)
  if (schema.type === 'array') return listOf(schema, sent, path)
  if (schema.type === 'boolean') return sent.has(path)
  const text = (sent.get(path) ?? '').replaceAll('\r\n', '\n')
  const takesNumbers = [schema, ...leaves(schema)].some(({ type }) => type === 'number' || type === 'integer')
  return takesNumbers && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

const leaves = ({ anyOf = [] }: Schema): Schema[] => anyOf.flatMap((each) => [each, ...leaves(each)])

function objectOf(schema: Schema, sent: URLSearchParams, path: string): Value {
  const value: Record<string, Value> = {}
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`
    const optional = !schema.required?.includes(name)
    if (inner.properties && optional && !sent.has(`${at}.?`)) continue
    const read = readForm(inner, sent, at)
    // Empty optional fields are omitted.
    if (read === '' && optional) continue
    value[name] = read
  }
  return value
}

function listOf(schema: Schema, sent: URLSearchParams, path: string): Value[] {
  const item = schema.items ?? {}
  if (item.enum) return sent.getAll(path)
  const count = Math.min(Number(sent.get(`${path}.#`) ?? 0) || 0, 200)
  return Array.from({ length: count }, (_, index) => {
    const at = `${path}.${index}`
    return readForm(variantFor(item, { type: sent.get(`${at}.type`) ?? undefined }), sent, at)
  })
}

/** Returns the value after a list button was pressed: `add:path:type`, `drop:path.0`, `up:…`, `down:…`. */
export function applyListAction(value: Value, act: string): Value {
  const [verb = '', path = '', type = ''] = act.split(':')
  const changed = structuredClone(value)
  const parts = path.split('.')
  const index = Number(parts.at(-1))
  const list = reach(changed, verb === 'add' ? parts : parts.slice(0, -1))
  if (!Array.isArray(list)) return value
  if (verb === 'add') list.push(type === '' ? {} : { type })
  if (verb === 'drop') list.splice(index, 1)
  if (verb === 'up' && index > 0) list.splice(index - 1, 2, list[index], list[index - 1])
  if (verb === 'down' && index < list.length - 1) list.splice(index, 2, list[index + 1], list[index])
  return changed
}

function reach(value: Value, path: readonly string[]): Value {
  return path.reduce<Value>(
    (inner, key) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, key)
        ? (inner as Record<string, Value>)[key]
        : undefined,
    value,
  )
}
