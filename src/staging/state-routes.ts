import type { FastifyInstance } from 'fastify'
import { loadEnrolledMember, memberColumns, readEnrolledMember } from '../identity/activation/service.ts'
import { findMemberByPublicId, type MemberRow } from '../identity/members/service.ts'
import { type CookieRules, sendSession } from '../identity/session/cookies.ts'
import { signInAs } from '../identity/session/service.ts'
import { inTransaction } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { UnreadableFile } from '../platform/files/read-lines.ts'
import { describeProblem, readPastedRows } from '../platform/files/read-rows.ts'
import { registerRoute } from '../platform/http/register-route.ts'
import { type FlagCache, flagsOf } from '../programs/partners/service.ts'
import type { StagingClock } from './clock.ts'
import * as calls from './contract.ts'
import { createSampleMember } from './make-member.ts'
import * as schemas from './schemas.ts'
import { newestMembers } from './store.ts'

export interface StateDeps {
  clock: StagingClock
  cookies: CookieRules
  flags: FlagCache
}

/** Tools that set program state: members, clock, feature flags. Not registered in production. */
export function stateRoutes(app: FastifyInstance, { clock, cookies, flags }: StateDeps): void {
  registerRoute(app, calls.listStagingMembers, schemas.listStagingMembers, async (ctx) => ({
    members: (await newestMembers(ctx.db)).map(shown),
  }))
  registerRoute(app, calls.makeMember, schemas.makeMember, async (ctx, { body }) => {
    const { member, password } = await createSampleMember(ctx, body.state)
    return { ...shown(member), password }
  })
  registerRoute(app, calls.becomeMember, schemas.becomeMember, async (ctx, { body }, { reply }) => {
    const member = await findMemberByPublicId(ctx.db, body.publicId)
    if (!member || member.deleted_at !== null) throw new ApiError('memberNotFound')
    const signing = { memberId: member.id, remembered: false, beganWith: 'password' } as const
    const session = await inTransaction(ctx.db, (tx) => signInAs(tx, ctx, signing))
    sendSession(reply, { ...session, signedIn: true }, cookies)
    return { csrfToken: session.csrfToken, memberType: member.member_type }
  })
  registerRoute(app, calls.loadMembers, schemas.loadMembers, async (ctx, { body }) => {
    const members: { email: string; publicId: string }[] = []
    const problems: { line: number; problem: string }[] = []
    try {
      for await (const row of readPastedRows(body.lines, memberColumns)) {
        const read = readEnrolledMember(row)
        const loaded = 'problems' in read ? read : await loadEnrolledMember(ctx, read)
        if ('problems' in loaded)
          problems.push({ line: row.line, problem: loaded.problems.map((one) => describeProblem(one)).join(' ') })
        else members.push(loaded)
      }
    } catch (error) {
      // The text as a whole: it has no rows, or lacks a column.
      if (!(error instanceof UnreadableFile)) throw error
      problems.push({ line: 1, problem: error.message })
    }
    return { members, problems }
  })
  const clockNow = () => ({ now: clock.now().toISOString(), isSet: clock.offset !== 0 })
  registerRoute(app, calls.getClock, schemas.getClock, clockNow)
  registerRoute(app, calls.setClock, schemas.setClock, (_ctx, { body }) => {
    clock.set(body.at === null ? null : new Date(body.at))
    return clockNow()
  })
  registerRoute(app, calls.listFlags, schemas.listFlags, (ctx) => ({
    flags: flagsOf(ctx.program.config, flags.of(ctx.partnerId)),
  }))
}

const shown = (row: MemberRow): calls.StagingMember => ({
  publicId: row.public_id,
  name: `${row.first_name} ${row.last_name}`.trim(),
  email: row.email,
  memberType: row.member_type,
  tierLevel: row.tier_level,
  active: row.active,
  hasWebProfile: row.has_web_profile,
})
