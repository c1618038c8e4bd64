import { z } from 'zod'

interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema | boolean
}

export type TextPath = readonly (string | number)[]

/** Returns the paths of all fields of a schema that are free texts; the first item stands for all of a list. */
export function textPathsOf(schema: z.ZodType): TextPath[] {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  const paths = pathsIn(document, [])
  const seen = new Set<string>()
  return paths.filter((path) => !seen.has(path.join('.')) && seen.add(path.join('.')))
}

function pathsIn(schema: JsonSchema, path: TextPath): TextPath[] {
  const isFree = [schema.type].flat().includes('string') && schema.enum === undefined && schema.const === undefined
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...(isFree ? [path] : []),
    ...variants.flatMap((variant) => pathsIn(variant, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => pathsIn(field, [...path, name])),
    ...(typeof schema.items === 'object' ? pathsIn(schema.items, [...path, 0]) : []),
  ]
}

/** Returns a copy of a value with a text at a path; what is missing on the way is added. */
export function withText(value: unknown, path: TextPath, text: string): unknown {
  const [step, ...rest] = path
  if (step === undefined) return text
  const copy =
    Array.isArray(value) || (value === undefined && step === 0)
      ? [...((value as unknown[]) ?? [])]
      : { ...(value as object) }
  const holder = copy as Record<string | number, unknown>
  holder[step] = withText(holder[step], rest, text)
  return copy
}
