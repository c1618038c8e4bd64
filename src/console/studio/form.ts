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

/** Returns the values of `type` that an item of a list may have. */
export const typeNames = ({ properties }: Schema): string[] => {
  const type = properties?.type
  return type?.const !== undefined ? [type.const] : (type?.enum ?? [])
}

/** Returns the schema of a list item with this value. */
export function variantFor(item: Schema, value: Value): Schema {
  const variants = item.oneOf ?? item.anyOf
  if (!variants) return item
  const type = (value as { type?: string } | null)?.type ?? ''
  return variants.find((variant) => typeNames(variant).includes(type)) ?? (variants[0] as Schema)
}

/** Parses a submitted form; the inverse of `Fields`. */
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
