/** What figures are compared with. */
export const comparisons = { before: 'The period before', yearBefore: 'The year before', none: 'Nothing' } as const
export type Comparison = keyof typeof comparisons
