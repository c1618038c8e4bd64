import { endImpersonationsOf } from '../../identity/impersonation/service.ts'
import type { AccessDeps } from '../../identity/recovery/service.ts'
import { endRecoveries } from '../../identity/recovery/service.ts'
import { endVerifications } from '../../identity/verification/service.ts'
import { endMoveQuestions, withdrawMoveRequests } from '../../rewards/cards/service.ts'

/** What ends with the sessions of a member, or with an email address, across all modules. */
export const accessEnds: AccessDeps = {
  async endPending(tx, ctx, memberId) {
    const codes = (await endRecoveries(tx, memberId)) + (await endVerifications(tx, memberId))
    const requests = await withdrawMoveRequests(tx, memberId)
    return codes + requests + (await endImpersonationsOf(tx, ctx, memberId))
  },
  async endEmailed(tx, memberId) {
    await endRecoveries(tx, memberId)
    await endVerifications(tx, memberId)
    await endMoveQuestions(tx, memberId)
  },
}
