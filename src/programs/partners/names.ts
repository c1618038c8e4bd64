/** Names for pages that do not need the validating schemas. */
export const cardTypes = ['AMEX', 'DISC', 'MAST', 'VISA'] as const

/** Hosts under the base domain that are reserved for other services. */
export const hostNames: readonly string[] = ['vault', 'forms', 'console', 'id']
