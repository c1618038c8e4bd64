import type { z } from 'zod'
import { type FieldError, FieldRefusal, Refusal } from '../kit/refusal.ts'
import { schemaOf } from './collections.ts'

export type Fields = Record<string, unknown>

/**
 * The fields as they may be kept: known, bounded, in the right form, markup sanitised. Throws Refusal
 * `contentNotFound` for an entry that cannot be, FieldRefusal with dotted paths for wrong fields.
 */
export function checkFields(collection: string, slug: string, fields: unknown): Fields {
  const schema = schemaOf(collection, slug)
  if (!schema) throw new Refusal('contentNotFound')
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  throw new FieldRefusal(parsed.error.issues.flatMap(errorsOf))
}

function errorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known here' }))
  }
  return [{ field: path.join('.'), message: issue.message }]
}

/** More rounds than this would mean that nothing of the entry can be saved. */
const mostRepairs = 40

/**
 * The fields as they may be shown. Items of lists that are not valid are left out, one by one; null when the entry
 * cannot be shown even so. What is kept was checked when it was saved; this guards against everything since.
 */
export function safeFields(collection: string, slug: string, fields: unknown): Fields | null {
  const schema = schemaOf(collection, slug)
  if (!schema) return null
  const candidate = structuredClone(fields)
  for (let round = 0; round < mostRepairs; round++) {
    const parsed = schema.safeParse(candidate)
    if (parsed.success) return parsed.data
    const repaired = parsed.error.issues.some((issue) => leaveOut(candidate, issue))
    if (!repaired) return null
  }
  return null
}

/** Takes the innermost list item, or the unknown key, that an issue is about out of `fields`; false when there is none. */
function leaveOut(fields: unknown, issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'unrecognized_keys') {
    const owner = reach(fields, issue.path) as Record<string, unknown>
    for (const key of issue.keys) delete owner[key]
    return true
  }
  const at = issue.path.findLastIndex((key) => typeof key === 'number')
  if (at < 0) return false
  const list = reach(fields, issue.path.slice(0, at))
  if (!Array.isArray(list)) return false
  list.splice(issue.path[at] as number, 1)
  return true
}

function reach(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}
