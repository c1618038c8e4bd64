import { ApiCallError } from '../../../../platform/browser/api.ts'
import type { PageArgs } from '../../../../platform/browser/query.ts'
import { signInOn401 } from '../../../../platform/browser/redirects.ts'
import { memberQuery } from './use-member.ts'

/** Loads the member, or redirects to the sign-in page. */
export async function loadMember({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  if (!member) await signInOn401(Promise.reject(new ApiCallError(401, {})), url)
}
