import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

interface JsonSchema {
  type?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema | boolean
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Valid texts for a field of this name, which the app under test knows. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

/** Generates values that a zod schema accepts, or nearly: JSON schema does not include refinements and transforms. */
export function valuesOf(schema: z.ZodType, known: KnownValues): Arbitrary<unknown> {
  return fromJsonSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, known, '')
}

function fromJsonSchema(schema: JsonSchema, known: KnownValues, name: string): Arbitrary<unknown> {
  const value = bare(schema, known, name)
  const samples = Object.hasOwn(known, name) ? known[name] : undefined
  return samples ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...samples) }, value) : value
}

function bare(schema: JsonSchema, known: KnownValues, name: string): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return fc.oneof(...variants.map((each) => fromJsonSchema(each, known, name)))
  if (schema.allOf) return bare(Object.assign({}, ...schema.allOf, { allOf: undefined }), known, name)
  switch (schema.type) {
    case 'object':
      return objects(schema, known)
    case 'array': {
      const items = typeof schema.items === 'object' ? schema.items : {}
      const minLength = schema.minItems ?? 0
      return fc.array(fromJsonSchema(items, known, name), { minLength, maxLength: Math.max(minLength, 3) })
    }
    case 'string':
      return texts(schema)
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -180, max: schema.maximum ?? 180, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.constantFrom<unknown>('x', '1', 1, true, {}, [])
  }
}

/** Small integers, and the largest and smallest that the schema allows. */
function integers({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) {
  const small = fc.integer({ min: clamp(Math.max(minimum, -5)), max: clamp(Math.min(maximum, 1_000)) })
  return fc.oneof({ weight: 3, arbitrary: small }, fc.constantFrom(minimum, maximum))
}

const clamp = (number: number) => Math.max(-1_000_000, Math.min(1_000_000, number))

function objects({ properties = {}, required = [] }: JsonSchema, known: KnownValues): Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, fromJsonSchema(inner, known, name)]),
  )
  return fc.record(model, { requiredKeys: required.filter((name) => Object.hasOwn(properties, name)) })
}

const formats: Record<string, Arbitrary<unknown>> = {
  email: fc.constantFrom('ada@example.com', 'unknown@example.com'),
  date: fc.constantFrom('2026-11-01', '2026-02-28', '2027-01-31', '0001-01-01', '9999-12-31'),
  'date-time': fc.constantFrom(
    '2026-11-01T12:00:00Z',
    '2026-11-01T12:00:00.000Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ),
  uuid: fc.uuid(),
  uri: fc.constantFrom('https://example.com/', 'http://skyharbor.localhost/'),
}

function texts({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): Arbitrary<unknown> {
  const byFormat = formats[format ?? '']
  if (byFormat) return byFormat
  if (pattern !== undefined) {
    try {
      return fc.stringMatching(new RegExp(pattern))
    } catch {
      // A pattern that cannot be inverted: any text is used.
    }
  }
  const length = { minLength, maxLength: Math.min(Math.max(minLength, maxLength), 300) }
  return fc.oneof(fc.string(length), fc.string({ ...length, unit: 'binary' }))
}
