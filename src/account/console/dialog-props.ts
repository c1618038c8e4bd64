import type { MemberDetail } from './contract.ts'

/** What each dialog about a member gets. */
export interface DialogProps {
  member: MemberDetail
  onClose: () => void
}
