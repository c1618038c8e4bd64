import type { Approval } from './contract.ts'

/** What operators read for the state of a request. */
export const approvalStates: Readonly<Record<Approval['state'], string>> = {
  open: 'Open',
  approved: 'Approved',
  refused: 'Refused',
}
