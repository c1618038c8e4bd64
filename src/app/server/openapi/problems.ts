import { type CallSpec, needsCsrf } from '../../../platform/call.ts'
import { databaseUnavailable } from '../../../platform/database/database-unavailable.ts'
import type { FieldError, Problem } from '../../../platform/errors.ts'
import { translate } from '../../../programs/content/messages.ts'
import { defaultMessages } from '../../../programs/content/service.ts'
import { findExample } from './call-groups.ts'

/** Values for the tokens of messages; each program has its own. */
const tokens = {
  partnerName: 'Skyharbor',
  programName: 'Skyharbor Miles Dining',
  currencyName: 'miles',
  supportPhone: '1-800-555-0100',
  supportEmail: 'dining@skyharbor.example',
}

const t = (key: string) => translate({ messages: defaultMessages, tokens }, key)

/** A response to invalid fields. */
export const fieldErrorsExample: readonly FieldError[] = [{ field: 'zipCode', message: t('validation.check') }]

/** Returns every problem document that a call can return, by status and code, with the default messages. */
export function problemsOf(call: CallSpec): Problem[] {
  const { errorDetails } = findExample(call).example
  const declared = Object.entries(call.errors ?? {})
    // Its message is the same for all calls.
    .filter(([code]) => code !== 'unauthorized')
    .map(([code, status]) => toProblem(status, code, t(`error.${code}`), errorDetails?.[code]))
  // A call that declares a code sends its own message.
  const common = commonProblems(call).filter(
    ({ status, code }) => !declared.some((own) => own.status === status && own.code === code),
  )
  return [...common, ...declared].toSorted((a, b) => a.status - b.status)
}

/** Whether a call is for members: always, or with some values. */
const needsMember = ({ access, errors }: CallSpec) => access === 'member' || errors?.unauthorized !== undefined

/** Returns the problems of the HTTP layer: see `registerRoute` and `createPartnerApp`. */
function commonProblems(call: CallSpec): Problem[] {
  const general = t('errors.general')
  const isRead = call.method === 'GET' || call.readOnly === true
  return [
    toProblem(400, 'badRequest', general),
    ...(needsMember(call) ? [toProblem(401, 'unauthorized', 'Unauthorized')] : []),
    ...(needsCsrf(call) ? [toProblem(403, 'csrf', 'Forbidden'), toProblem(403, 'crossSite', 'Forbidden')] : []),
    // Operators who impersonate a member.
    ...(call.memberOnly ? [toProblem(403, 'readOnly', t('error.memberOnly'))] : []),
    ...(call.access !== 'machine' && !call.memberOnly && !isRead
      ? [toProblem(403, 'readOnly', t('error.readOnly'))]
      : []),
    ...(call.body
      ? [toProblem(408, 'tooSlow', general), toProblem(413, 'tooLarge', general), toProblem(415, 'notJson', general)]
      : []),
    ...(call.perMinute ? [toProblem(429, 'tooMany', t('errors.too_many'))] : []),
    toProblem(500, 'serverError', general),
    toProblem(503, 'busy', t('errors.busy')),
    toProblem(503, databaseUnavailable, general),
  ]
}

function toProblem(status: number, code: string, title: string, detail?: Problem['detail']): Problem {
  const reference = '0f6b7a52-3c1d-4e98-a7f4-5b2d8c9e1036'
  return { type: `urn:dineback:${code}`, title, status, code, reference, ...(detail && { detail }) }
}
