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

/** Returns the messages whose key, default text or override contains the query. */
export function findMessages(query: string, fields: Fields): DefaultMessage[] {
  const wanted = query.toLowerCase()
  return Object.entries(defaultMessages as Record<string, string>)
    .filter(([key, text]) => `${key} ${text} ${fields[key] ?? ''}`.toLowerCase().includes(wanted))
    .map(([key, text]) => ({ key, text }))
    .slice(0, maxMessages)
}
