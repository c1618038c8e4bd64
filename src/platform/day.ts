import { z } from 'zod'
import { isDay } from './time.ts'

/**
 * A calendar date in a request, from 1900 to 2199. Time zone data is reliable for these years; before them, UTC offsets
 * include odd seconds.
 */
export const Day = z.iso
  .date('validation.check')
  .refine((text) => isDay(text) && text >= '1900' && text < '2200', 'validation.check')
