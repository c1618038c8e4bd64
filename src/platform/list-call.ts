import { z } from 'zod'

/** Entries of one page of a list. */
export const pageSize = 50

/** The part of a list's query that says which page it is. `cursor` is `next` of the page before. */
export const pageQuery = {
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(pageSize),
}

/** A filter that is typed. An empty one is none. */
export const filterText = z
  .string()
  .trim()
  .max(120)
  .optional()
  .transform((value) => (value === '' ? undefined : value))

/** Returns the schema of a list's response: one page, and how many entries there are in all. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** The cursor of the next page; null on the last one. */
    next: z.string().nullable(),
    /** `isExact` is false for an estimate, of which the last digits mean nothing. */
    total: z.object({ count: z.number().int(), isExact: z.boolean() }),
  })
