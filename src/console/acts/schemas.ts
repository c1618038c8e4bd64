import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { Day } from '../../platform/day.ts'
import { listOf, pageQuery } from '../../platform/list-call.ts'

export const ListedAct = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  operatorName: z.string(),
  /** The id of the call: `decideClaim`. */
  action: z.string(),
  /** Code of the program; null: the installation. */
  program: z.string().nullable(),
  object: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  reason: z.string(),
  /** HTTP status of the response: from 400, it was refused or failed. */
  status: z.number().int(),
  /** It only asked a second person, who may have decided since. */
  isAsked: z.boolean(),
})
export type ListedAct = z.infer<typeof ListedAct>

const filters = {
  /** Part of the name or address of an operator. */
  operator: z.string().max(120).optional(),
  /** Part of the words for what was done, such as `note`; or the id of a call. */
  action: z.string().max(60).optional(),
  /**
   * What it was done to: the beginning of its kind (`claim`) or of its name, its id, both kind and id (`claim Vh3…`), or
   * a member’s email address, number or id.
   */
  object: z.string().max(260).optional(),
  /** Days of the program, in UTC for all programs; the last one is included. */
  from: Day.optional(),
  to: Day.optional(),
  outcome: z.enum(['all', 'done', 'asked', 'refused']).default('all'),
}

/** What a list of entries is narrowed to. */
export type ActFilters = z.infer<z.ZodObject<typeof filters>>

const list = { query: z.object({ ...pageQuery, ...filters }), reply: listOf(ListedAct) }

export const listActs = defineSchemas({ summary: 'Lists what operators did in a program, the latest first', ...list })

export const listAllActs = defineSchemas({
  summary: 'Lists what operators did in all programs of the operator, and in the installation, the latest first',
  ...list,
})

export const ActDetail = ListedAct.extend({
  operatorId: z.number().int(),
  address: z.string(),
  requestId: z.string(),
  /** The changed fields, before and after. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** Public id of the member whom it was about. */
  memberId: z.string().nullable(),
  hash: z.string(),
})
export type ActDetail = z.infer<typeof ActDetail>

const one = {
  params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  reply: ActDetail,
  errors: { notFound: 404 },
}

export const getAct = defineSchemas({ summary: 'Returns an entry of a program’s audit log', ...one })

export const getAnyAct = defineSchemas({ summary: 'Returns an entry of the audit log', ...one })

const file = { query: z.object(filters), reply: z.unknown(), replyType: 'text/csv' }

export const exportActs = defineSchemas({
  summary: 'Returns the entries of a program as CSV, the latest first. The export is an entry itself',
  ...file,
})

export const exportAllActs = defineSchemas({
  summary: 'Returns the entries of all programs of the operator as CSV. The export is an entry itself',
  ...file,
})

export const getActsCheck = defineSchemas({
  summary: 'Returns what the last check of the audit log found',
  reply: z.object({
    check: z
      .object({
        at: z.iso.datetime(),
        /** Entries that were whole. */
        checked: z.number().int(),
        /** The first entry that was changed, or that is beside a removed one. */
        brokenAt: z.number().int().nullable(),
      })
      .nullable(),
  }),
})
