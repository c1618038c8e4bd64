import { z } from 'zod'
import { MemberType } from '../../identity/members/schemas.ts'
import { defineSchemas } from '../../platform/call.ts'

/** What a text finds in a program. A list is empty where the operator may not read, too. */
export const Found = z.object({
  program: z.string(),
  members: z.array(
    z.object({
      id: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      partnerNumber: z.string().nullable(),
      memberType: MemberType,
      /** Of the linked cards. */
      lastFours: z.array(z.string()),
    }),
  ),
  transactions: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      at: z.iso.datetime(),
      cents: z.number().int(),
      lastFour: z.string(),
    }),
  ),
  restaurants: z.array(z.object({ id: z.string(), name: z.string(), city: z.string(), state: z.string() })),
  claims: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      memberName: z.string(),
      cents: z.number().int(),
      isDecided: z.boolean(),
    }),
  ),
})
export type Found = z.infer<typeof Found>

const query = z.object({ q: z.string().trim().min(2).max(120) })

export const searchProgram = defineSchemas({
  summary: 'Finds a few members, transactions, restaurants and claims that a text means, of what the operator may read',
  query,
  reply: Found,
})

export const searchPrograms = defineSchemas({
  summary: 'Finds the same in each of the operator’s programs',
  query,
  reply: z.array(Found),
})
