import { z } from 'zod'
import type { Fields } from '../../programs/content/check.ts'
import { defaultMessages, type EntryKey, schemaOf } from '../../programs/content/service.ts'
import type { Schema } from './form.ts'

/** Returns the JSON schema that an entry's form is generated from. */
export function jsonSchemaOf({ collection, slug }: EntryKey): Schema | null {
  const schema = schemaOf(collection, slug)
  return schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : null
}

/** The messages page shows at most this many. */
export const maxMessages = 40

export interface DefaultMessage {
  key: string
  text: string
}

/** Returns the messages to correct, then those whose key, default text or override contains the query. */
export function findMessages(query: string, fields: Fields, errors: Record<string, string>): DefaultMessage[] {
  const wanted = query.toLowerCase()
  const isWrong = ({ key }: DefaultMessage) => Object.hasOwn(errors, key)
  return Object.entries(defaultMessages as Record<string, string>)
    .map(([key, text]) => ({ key, text }))
    .filter(
      (each) => isWrong(each) || `${each.key} ${each.text} ${fields[each.key] ?? ''}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => Number(isWrong(b)) - Number(isWrong(a)))
    .slice(0, maxMessages)
}
