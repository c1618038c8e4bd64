import type { FastifyInstance } from 'fastify'
import type { RecoveryDeps } from '../../identity/recovery/service.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import type { MemberTable } from '../../platform/manifest.ts'
import { collectData } from '../privacy/service.ts'
import { actingAs } from './acting-as.ts'
import * as acts from './acts.ts'
import * as adjust from './adjust.ts'
import { changeEmail } from './change-email.ts'
import * as calls from './contract.ts'
import * as detail from './detail.ts'
import * as list from './list.ts'
import * as merge from './merge/merge.ts'
import * as schemas from './schemas.ts'
import * as tiers from './tiers/give-tier.ts'

export interface MembersConsoleDeps {
  recovery: RecoveryDeps
  /** The tables with rows of members, for their exports. */
  memberTables: readonly MemberTable[]
}

/** Registers the console's calls about members. */
export function membersConsoleRoutes(app: FastifyInstance, { recovery, memberTables }: MembersConsoleDeps): void {
  readingRoutes(app, recovery)
  actingRoutes(app, recovery)
  exportRoutes(app, memberTables)
}

function readingRoutes(app: FastifyInstance, { lockKey }: RecoveryDeps): void {
  registerRoute(app, calls.listMembers, schemas.listMembers, (ctx, { query }) => list.listMembers(ctx, query))
  registerRoute(app, calls.exportMembers, schemas.exportMembers, (ctx, { query }, http) =>
    list.exportMembers(ctx, query, http),
  )
  registerRoute(app, calls.listMemberTags, schemas.listMemberTags, (ctx) => list.listTags(ctx))
  registerRoute(app, calls.getMember, schemas.getMember, (ctx, { params }) => detail.getMember(ctx, lockKey, params.id))
  registerRoute(app, calls.getMemberRecords, schemas.getMemberRecords, (ctx, { params }) =>
    detail.getRecords(ctx, params.id),
  )
  registerRoute(app, calls.listMemberTransactions, schemas.listMemberTransactions, (ctx, { params, query }) =>
    detail.listTransactions(ctx, params.id, query),
  )
  registerRoute(app, calls.listMemberJournal, schemas.listMemberJournal, (ctx, { params, query }) =>
    detail.listJournal(ctx, params.id, query),
  )
  registerRoute(app, calls.listMemberEmails, schemas.listMemberEmails, (ctx, { params, query }) =>
    detail.listEmails(ctx, params.id, query),
  )
  registerRoute(app, calls.getMemberEmail, schemas.getMemberEmail, (ctx, { params }) =>
    detail.getEmail(ctx, params.id, params.email),
  )
  registerRoute(app, calls.listMemberNotifications, schemas.listMemberNotifications, (ctx, { params, query }) =>
    detail.listNotifications(ctx, params.id, query),
  )
  registerRoute(app, calls.listMemberTimeline, schemas.listMemberTimeline, (ctx, { params, query }) =>
    detail.listTimeline(ctx, params.id, query),
  )
}

function exportRoutes(app: FastifyInstance, memberTables: readonly MemberTable[]): void {
  registerRoute(app, calls.exportMemberData, schemas.exportMemberData, async (ctx, { params }, { reply }) => {
    const member = await detail.findMember(ctx, params.id)
    reply.header('content-disposition', `attachment; filename="${ctx.partnerId}-member.json"`)
    return collectData(actingAs(ctx, member.id), memberTables)
  })
}

function actingRoutes(app: FastifyInstance, recovery: RecoveryDeps): void {
  const { lockKey } = recovery
  registerRoute(app, calls.listMemberNotes, schemas.listMemberNotes, (ctx, { params }) => acts.getNotes(ctx, params.id))
  registerRoute(app, calls.addMemberNote, schemas.addMemberNote, (ctx, { params, body }) =>
    acts.addNote(ctx, params.id, body.body),
  )
  registerRoute(app, calls.deleteMemberNote, schemas.deleteMemberNote, (ctx, { params }) =>
    acts.removeNote(ctx, params.id, params.note),
  )
  registerRoute(app, calls.tagMember, schemas.tagMember, (ctx, { params, body }) => acts.setTags(ctx, params.id, body))
  registerRoute(app, calls.correctMember, schemas.correctMember, async (ctx, { params, body }) => {
    await acts.correct(ctx, params.id, body)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.changeMemberEmail, schemas.changeMemberEmail, async (ctx, { params, body }) => {
    await changeEmail(ctx, recovery, { ...params, ...body })
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.endMemberSession, schemas.endMemberSession, async (ctx, { params }) => {
    await acts.endSession(ctx, params.id, params.session)
    return detail.getRecords(ctx, params.id)
  })
  registerRoute(app, calls.removeMemberPasskey, schemas.removeMemberPasskey, async (ctx, { params, body }) => {
    await acts.removePasskey(ctx, recovery, { ...params, ...body })
    return detail.getRecords(ctx, params.id)
  })
  registerRoute(app, calls.resendMemberEmail, schemas.resendMemberEmail, async (ctx, { params }) => {
    await acts.resendEmail(ctx, params.id, params.email)
    return { done: true as const }
  })
  registerRoute(app, calls.grantMemberBonus, schemas.grantMemberBonus, async (ctx, { params, body }) => {
    await acts.grantBonus(ctx, params.id, body)
    return detail.getRecords(ctx, params.id)
  })
  registerRoute(app, calls.unlockMember, schemas.unlockMember, async (ctx, { params }) => {
    await acts.unlock(ctx, lockKey, params.id)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.closeMember, schemas.closeMember, async (ctx, { params, body }) => {
    await acts.close(ctx, params.id, body.reason)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.reopenMember, schemas.reopenMember, async (ctx, { params, body }) => {
    await acts.reopen(ctx, params.id, body.reason)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.previewTier, schemas.previewTier, (ctx, { params, body }) =>
    tiers.previewTier(ctx, params.id, body),
  )
  registerRoute(app, calls.giveTier, schemas.giveTier, async (ctx, { params, body }) => {
    await tiers.giveTier(ctx, params.id, body)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.endTier, schemas.endTier, async (ctx, { params, body }) => {
    await tiers.endTier(ctx, params.id, body.reason)
    return detail.getMember(ctx, lockKey, params.id)
  })
  registerRoute(app, calls.previewMerge, schemas.previewMerge, (ctx, { params, body }) =>
    merge.previewMerge(ctx, params.id, body.into),
  )
  registerRoute(app, calls.mergeMember, schemas.mergeMember, (ctx, { params, body }) =>
    merge.askForMerge(ctx, params.id, body),
  )
  registerRoute(app, calls.previewAdjustment, schemas.previewAdjustment, (ctx, { params, body }) =>
    adjust.preview(ctx, params.id, body),
  )
  registerRoute(app, calls.adjustBalance, schemas.adjustBalance, (ctx, { params, body }) =>
    adjust.adjust(ctx, params.id, body),
  )
}
