import { signatureHeaders } from '../../src/platform/security/webhook-signature.ts'
import { reviewKey } from '../../src/rewards/reviews/review-key.ts'
import { type TestApp, visit } from './app.ts'
import type { Visitor } from './members.ts'

export const reviewCallbackPath = '/api/reviews/callback'

export const familyIdOf = async ({ visitor }: { visitor: Visitor }) =>
  (await visitor.get('/api/Member')).json().familyId

/** Sends what the form service reports about a member's transaction; `over` overrides how it is signed. */
export async function sendReview(
  app: TestApp,
  member: { visitor: Visitor },
  body: Record<string, unknown>,
  over: { key?: string; at?: number; url?: string } = {},
) {
  const familyId = body.familyId ?? (await familyIdOf(member))
  const text = JSON.stringify({ completed: true, rating: 5, comment: 'Lovely.', ...body, familyId })
  const { host } = member.visitor
  const url = over.url ?? `http://${host}${reviewCallbackPath}`
  const headers = signatureHeaders(over.key ?? reviewKey(app.settings), { body: text, url }, over.at ?? Date.now())
  return visit(app, host.split('.')[0] as string).send('POST', reviewCallbackPath, text, headers)
}
