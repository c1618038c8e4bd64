import { redirect } from 'react-router'
import { ApiError } from '../../kit/web/api.ts'
import type { PageArgs } from '../../kit/web/query.ts'
import { orSignIn } from '../../kit/web/redirects.ts'
import { askMember } from './embed/use-member.ts'

/** Loads the member, or redirects to the sign-in page. */
export async function loadMember({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (member?.mustFixCredentials) throw redirect('/fix_credentials')
  if (!member) await orSignIn(Promise.reject(new ApiError(401, {})), url)
}
