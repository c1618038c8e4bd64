/** Names that pages need without the schemas that check them. */
export const cardTypes = ['AMEX', 'DISC', 'MAST', 'VISA'] as const
