import type { Member } from '../../../members/contract.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { unlistedZip } from '../../../places/rules.ts'

/** The ZIP code that a member lives at, as a place to search around; '' for visitors, and for codes without a point. */
export function homeOf(member: Member | null): string {
  const zip = member?.address.zipCode ?? ''
  return unlistedZip.test(zip) ? '' : zip
}

export function useHome(): string {
  return homeOf(useMember())
}
