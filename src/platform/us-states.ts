/** USPS codes: states, DC, territories and armed forces. */
export const usStates = [
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND',
  'OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP',
]
  .join(' ')
  .split(' ')

/** Returns the copy key of the problem of a state; null when it is empty or known. */
export const stateProblem = (code: string) => (code === '' || usStates.includes(code) ? null : 'validation.check')
