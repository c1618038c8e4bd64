/** The longest reference of a payment, in characters: a bank's text has up to 140. */
export const maxReference = 200
