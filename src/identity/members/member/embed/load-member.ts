import { redirect } from 'react-router'
import { ApiError } from '../../../../platform/browser/api.ts'
import type { PageArgs } from '../../../../platform/browser/query.ts'
import { orSignIn } from '../../../../platform/browser/redirects.ts'
import { askMember } from './use-member.ts'

/** Loads the member, or redirects to the sign-in page. */
export async function loadMember({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (member?.mustFixCredentials) throw redirect('/fix_credentials')
  if (!member) await orSignIn(Promise.reject(new ApiError(401, {})), url)
}
