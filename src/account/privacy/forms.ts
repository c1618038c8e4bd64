import { z } from 'zod'

export const DeleteForm = z.strictObject({
  /** The typed word that prevents accidental deletion. */
  confirmation: z.string().trim().max(20),
})
