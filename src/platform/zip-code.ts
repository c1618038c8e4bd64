/** Returns the five digits of a ZIP code or ZIP+4; any other text unchanged. */
export const toZip5 = (typed: string) => typed.trim().replace(/^(\d{5})[- ]?\d{4}$/, '$1')
