import type { z } from 'zod'
import { defaultMessages } from '../../default-messages.ts'
import { ApiError, type FieldError, ValidationError } from '../../platform/errors.ts'
import { unstorablePath } from '../../platform/text.ts'
import { copyTokenNames } from '../partners/rules.ts'
import { schemaOf } from './collections.ts'
import { tokenNames } from './messages.ts'

export type Fields = Record<string, unknown>

/** The same as the database's. */
const slugPattern = /^[a-z0-9][a-z0-9_-]{0,79}$/
const slugRule =
  'has lower-case letters, digits, hyphens and underscores only, begins with a letter or digit, and has at most 80 characters'

/**
 * Returns the fields in storable form: known, bounded, valid, with sanitized markup. Throws ApiError `contentNotFound`
 * for an unknown entry, and ValidationError with dotted paths for invalid fields.
 */
export function checkFields(collection: string, slug: string, fields: unknown): Fields {
  const schema = schemaOf(collection, slug)
  if (!schema) throw new ApiError('contentNotFound')
  if (!slugPattern.test(slug)) throw new ValidationError([{ field: 'slug', message: slugRule }])
  const unstorable = unstorablePath(fields)
  if (unstorable !== null)
    throw new ValidationError([{ field: unstorable, message: 'has a character that cannot be stored' }])
  const parsed = schema.safeParse(fields)
  if (!parsed.success) throw new ValidationError(parsed.error.issues.flatMap(errorsOf))
  const errors = textsOf(parsed.data).flatMap(({ path, text }) => {
    const ownNames = collection === 'copy' ? tokenNames((defaultMessages as Record<string, string>)[path] ?? '') : []
    return tokenErrorsOf(path, text, ownNames)
  })
  if (errors.length > 0) throw new ValidationError(errors)
  return parsed.data
}

/**
 * Visitors would see a misspelled name in its braces. Not part of the schema, by which stored entries are read: a text
 * that was valid once must not make the others unusable. `ownNames` are those that a message receives.
 */
function tokenErrorsOf(field: string, text: string, ownNames: readonly string[]): FieldError[] {
  const possible = [...new Set([...ownNames, ...copyTokenNames])]
  const unknown = tokenNames(text).find((name) => !possible.includes(name))
  if (unknown === undefined) return []
  const names = possible.map((name) => `{${name}}`).join(', ')
  return [{ field, message: `{${unknown}} is never filled in. This text can have ${names}.` }]
}

/** Returns every text of a value with its dotted path. */
function textsOf(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, path === '' ? key : `${path}.${key}`))
}

function errorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known here' }))
  }
  return [{ field: path.join('.'), message: issue.message }]
}

/** If more repairs than this are needed, the entry counts as unusable. */
const maxRepairs = 40

/**
 * Returns the fields in displayable form without invalid list items, or null when the entry cannot be repaired. Stored
 * fields were valid when saved; this guards against schema changes since.
 */
export function safeFields(collection: string, slug: string, fields: unknown): Fields | null {
  const schema = schemaOf(collection, slug)
  if (!schema) return null
  const candidate = structuredClone(fields)
  for (let attempt = 0; attempt < maxRepairs; attempt++) {
    const parsed = schema.safeParse(candidate)
    if (parsed.success) return parsed.data
    const repaired = parsed.error.issues.some((issue) => removeInvalid(candidate, issue))
    if (!repaired) return null
  }
  return null
}

/** Removes the innermost list item or the unknown key that an issue refers to; returns false when there is none. */
function removeInvalid(fields: unknown, issue: z.core.$ZodIssue): boolean {
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
