import { z } from 'zod'

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/)
const text = (max: number) => z.string().min(1).max(max)
const shared = { id, label: text(200), required: z.boolean().default(false) }
const choices = z.array(text(120)).min(2).max(12)

/** One question of a form. */
export const Question = z.discriminatedUnion('type', [
  /** One to five, with labels at both ends. */
  z.strictObject({ ...shared, type: z.literal('rating'), low: text(40), high: text(40) }),
  z.strictObject({ ...shared, type: z.literal('single'), choices }),
  z.strictObject({ ...shared, type: z.literal('multiple'), choices }),
  z.strictObject({ ...shared, type: z.literal('text'), most: z.number().int().min(1).max(300).default(120) }),
  z.strictObject({ ...shared, type: z.literal('long'), most: z.number().int().min(1).max(4000).default(1000) }),
])
export type Question = z.output<typeof Question>

/** A form of the built-in form service; `programs/<code>/forms.json` holds a list of them. */
export const FormDefinition = z.strictObject({
  id,
  title: text(120),
  intro: z.string().max(400).default(''),
  questions: z
    .array(Question)
    .min(1)
    .max(20)
    .refine((list) => new Set(list.map((question) => question.id)).size === list.length, 'ids must differ'),
  submit: text(40),
  thanks: text(300),
})
export type FormDefinition = z.output<typeof FormDefinition>
