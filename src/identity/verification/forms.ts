import { flag, text } from '../../platform/form-fields.ts'

const tooLong = 'verification.code_invalid'

export const VerifyForm = { code: text(60, { missing: 'verification.code_missing', tooLong }) }

/** The form of the page, which has a second button: it requests a new code, and needs none. */
export const VerifyPageForm = { code: text(60, { absent: 'empty', tooLong }), again: flag() }
