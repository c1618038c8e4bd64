import type { Operator } from '../../platform/http/operator.ts'

/** Returns whether an operator may edit content. */
export const mayEdit = ({ role }: Operator) => role !== 'support'

/** Returns whether an operator may decide claims, and so give rewards. */
export const mayDecideClaims = ({ role }: Operator) => role === 'support' || role === 'admin'

/** Returns whether an operator may see settlements. */
export const mayViewSettlements = ({ role }: Operator) => role === 'admin'

/** Returns whether an operator may work on a program. */
export function mayAccessProgram({ partners }: Operator, partnerId: string): boolean {
  return partners === null || partners.includes(partnerId)
}
