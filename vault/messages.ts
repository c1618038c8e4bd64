/** Texts of the frame; short, because it is part of a partner's page. */
export const messages = {
  number: 'Card number',
  numberMissing: 'Please enter your credit card number.',
  numberWrong: 'Check the card number.',
  brandWrong: 'Card must be {brands}',
  expiry: 'Expires (MM/YY)',
  expiryMissing: 'Please enter the month and year on your card.',
  expiryPast: 'This card has expired.',
  complete: 'Card complete.',
  alone: 'This form only works inside a program’s page.',
  expired: 'This form has expired. Please reload the page.',
} as const
