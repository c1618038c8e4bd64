import type { Operator } from './context.ts'

/** Whether an operator may change words and pages. */
export const mayEdit = ({ role }: Operator) => role !== 'support'

/** Whether an operator may see what restaurants and partners owe. */
export const maySettle = ({ role }: Operator) => role === 'admin'

/** Whether an operator may work on a program. */
export function mayWorkOn({ partners }: Operator, partnerId: string): boolean {
  return partners === null || partners.includes(partnerId)
}
