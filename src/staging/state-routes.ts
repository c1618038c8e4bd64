import type { FastifyInstance } from 'fastify'
import { loadEnrolledMember, readEnrolledMember } from '../identity/activation/service.ts'
import { type MemberRow, memberByPublicId } from '../identity/members/service.ts'
import { type CookieRules, sendSession } from '../identity/session/cookies.ts'
import { signInAs } from '../identity/session/service.ts'
import { inTransaction } from '../platform/database/db.ts'
import { serve } from '../platform/http/serve.ts'
import { Refusal } from '../platform/refusal.ts'
import { type FlagShelf, flagsOf } from '../programs/partners/service.ts'
import type { StagingClock } from './clock.ts'
import * as calls from './contract.ts'
import { makeMemberIn } from './make-member.ts'
import { newestMembers } from './store.ts'

export interface StateParts {
  clock: StagingClock
  cookies: CookieRules
  flags: FlagShelf
}

/** Tools that set program state: members, clock, feature flags. Not registered in production. */
export function stateRoutes(app: FastifyInstance, { clock, cookies, flags }: StateParts): void {
  serve(app, calls.listStagingMembers, async (ctx) => ({ members: (await newestMembers(ctx.db)).map(shown) }))
  serve(app, calls.makeMember, async (ctx, { body }) => {
    const { member, password } = await makeMemberIn(ctx, body.state)
    return { ...shown(member), password }
  })
  serve(app, calls.becomeMember, async (ctx, { body }, { reply }) => {
    const member = await memberByPublicId(ctx.db, body.publicId)
    if (!member || member.deleted_at !== null) throw new Refusal('memberNotFound')
    const signing = { memberId: member.id, remembered: false, beganWith: 'password' } as const
    const session = await inTransaction(ctx.db, (tx) => signInAs(tx, ctx, signing))
    sendSession(reply, { ...session, signedIn: true }, cookies)
    return { csrfToken: session.csrfToken, memberType: member.member_type }
  })
  serve(app, calls.loadMembers, async (ctx, { body }) => {
    const members: { email: string; publicId: string }[] = []
    const problems: { line: number; problem: string }[] = []
    for (const [index, text] of body.lines.split('\n').entries()) {
      if (text.trim() === '') continue
      const read = readEnrolledMember(text)
      const loaded = 'problem' in read ? read : await loadEnrolledMember(ctx, read)
      if ('problem' in loaded) problems.push({ line: index + 1, problem: loaded.problem })
      else members.push(loaded)
    }
    return { members, problems }
  })
  const clockNow = () => ({ now: clock.now().toISOString(), isSet: clock.offset !== 0 })
  serve(app, calls.getClock, clockNow)
  serve(app, calls.setClock, (_ctx, { body }) => {
    clock.set(body.at === null ? null : new Date(body.at))
    return clockNow()
  })
  serve(app, calls.listFlags, (ctx) => ({ flags: flagsOf(ctx.program.config, flags.of(ctx.partnerId)) }))
}

const shown = (row: MemberRow): calls.StagingMember => ({
  publicId: row.public_id,
  name: `${row.first_name} ${row.last_name}`,
  email: row.email,
  memberType: row.member_type,
  tierLevel: row.tier_level,
  active: row.active,
  hasWebProfile: row.has_web_profile,
})
