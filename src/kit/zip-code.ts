import { z } from 'zod'

/** The five digits of a ZIP code or ZIP+4; anything else as it was typed. */
export const fiveDigits = (typed: string) => typed.trim().replace(/^(\d{5})[- ]?\d{4}$/, '$1')

/**
 * A ZIP code of a form: five digits. People also type ZIP+4, of which the first five are stored. Marked pure, so that
 * pages without forms do not carry the validator.
 */
export const ZipCode = /* @__PURE__ */ (() =>
  z
    .string()
    .trim()
    .min(1, 'validation.zip_missing')
    .transform(fiveDigits)
    .pipe(z.string().regex(/^\d{5}$/, 'validation.exact_length|5')))()
