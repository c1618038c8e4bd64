import { z } from 'zod'

/** Returns the five digits of a ZIP code or ZIP+4; any other text unchanged. */
export const toZip5 = (typed: string) => typed.trim().replace(/^(\d{5})[- ]?\d{4}$/, '$1')

/** Schema of a ZIP code: five digits. ZIP+4 is accepted and its first five digits are stored. */
export const ZipCode = z
  .string()
  .trim()
  .min(1, 'validation.zip_missing')
  .transform(toZip5)
  .pipe(z.string().regex(/^\d{5}$/, 'validation.exact_length|5'))
