import type { Member } from '../../../../identity/members/contract.ts'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { unlistedZip } from '../../../../programs/places/rules.ts'

/** Returns the member's ZIP code as a search location; '' for visitors and for codes without coordinates. */
export function homeOf(member: Member | null): string {
  const zip = member?.address.zipCode ?? ''
  return unlistedZip.test(zip) ? '' : zip
}

export function useHome(): string {
  return homeOf(useMember())
}
