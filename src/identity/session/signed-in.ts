import type { z } from 'zod'
import type { MemberRow } from '../members/service.ts'
import type { SignedIn } from './contract.ts'

/** Returns the response to a sign-in: the member and what comes next. */
export function signedIn(member: MemberRow | undefined, csrfToken: string): z.input<typeof SignedIn> {
  if (!member) throw new Error('the signed-in member does not exist')
  return {
    publicId: member.public_id,
    memberType: member.member_type,
    csrfToken,
    mustFixCredentials: member.must_fix_credentials,
  }
}
