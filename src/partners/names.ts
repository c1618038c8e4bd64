/** Names that pages need without the schemas that check them. */
export const cardTypes = ['AMEX', 'DISC', 'MAST', 'VISA'] as const

/** The hosts under the base domain that are no program's. */
export const hostNames: readonly string[] = ['vault', 'forms', 'console', 'id']
