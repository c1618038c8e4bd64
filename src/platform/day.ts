import { z } from 'zod'
import { isSupportedDay } from './time.ts'

/** A calendar date in a request, from 1900 to 2199. */
export const Day = z.iso.date('validation.check').refine(isSupportedDay, 'validation.check')
