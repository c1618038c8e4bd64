import { z } from 'zod'
import { isDay } from './time.ts'

/**
 * A day that a request may name: a day of the calendar between 1900 and 2199. Time zones are known for these years;
 * before them, clocks were ahead by odd seconds. Marked pure, so that pages without forms do not carry the validator.
 */
export const Day = /* @__PURE__ */ (() =>
  z.iso.date('validation.check').refine((text) => isDay(text) && text >= '1900' && text < '2200', 'validation.check'))()
