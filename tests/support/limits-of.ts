import { z } from 'zod'

interface JsonSchema {
  type?: string
  pattern?: string
  format?: string
  default?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema | boolean
  [limit: string]: unknown
}

const limits = [
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'multipleOf',
  'pattern',
] as const
/** Formats with a pattern of zod's own. */
const knownFormats = ['date', 'date-time', 'uuid', 'email', 'uri', 'base64', 'ipv4', 'ipv6', 'cidrv4', 'cidrv6']
/** The limits that zod adds to every integer. */
const isSafeInteger = (limit: unknown) => Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER

/**
 * Returns the limits and numeric defaults of all fields of a schema: `address.zipCode: maxLength 5`. A value that is
 * converted has those before and after it.
 */
export function limitsOf(schema: z.ZodType): string[] {
  const lines = (['input', 'output'] as const).flatMap((io) => {
    const document = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema
    return linesOf(document, '')
  })
  return [...new Set(lines)]
}

function linesOf(schema: JsonSchema, path: string): string[] {
  const hasFormat = knownFormats.includes(schema.format ?? '')
  const own = limits.flatMap((name) =>
    schema[name] === undefined || isSafeInteger(schema[name]) || (name === 'pattern' && hasFormat)
      ? []
      : [`${name} ${schema[name]}`],
  )
  if (hasFormat) own.push(`format ${schema.format}`)
  if (typeof schema.default === 'number') own.push(`default ${schema.default}`)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const fields = Object.entries(schema.properties ?? {})
  return [
    ...(own.length > 0 ? [`${path}: ${own.join(', ')}`] : []),
    ...variants.flatMap((variant) => linesOf(variant, path)),
    ...fields.flatMap(([name, field]) => linesOf(field, path ? `${path}.${name}` : name)),
    ...(typeof schema.items === 'object' ? linesOf(schema.items, `${path}[]`) : []),
    ...(typeof schema.additionalProperties === 'object' ? linesOf(schema.additionalProperties, `${path}.*`) : []),
  ]
}
