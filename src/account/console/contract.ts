import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Listed, MemberDetail, MemberEmail, MemberRecords, MergePreview } from './schemas.ts'

const program = '/api/programs/:program'
const members = `${program}/members`
const read = { method: 'GET', access: 'operator', permission: 'members.read' } as const

export const listMembers = defineCall<typeof schemas.listMembers>()({ id: 'listMembers', path: members, ...read })

export const exportMembers = defineCall<typeof schemas.exportMembers>()({
  id: 'exportMembers',
  method: 'GET',
  path: `${program}/members.csv`,
  access: 'operator',
  permission: 'members.export',
  audited: true,
})

export const listMemberTags = defineCall<typeof schemas.listMemberTags>()({
  id: 'listMemberTags',
  path: `${program}/member-tags`,
  ...read,
})

export const getMember = defineCall<typeof schemas.getMember>()({
  id: 'getMember',
  path: `${members}/:id`,
  ...read,
  audited: true,
})

export const getMemberRecords = defineCall<typeof schemas.getMemberRecords>()({
  id: 'getMemberRecords',
  path: `${members}/:id/records`,
  ...read,
})

export const listMemberTransactions = defineCall<typeof schemas.listMemberTransactions>()({
  id: 'listMemberTransactions',
  path: `${members}/:id/transactions`,
  ...read,
})

export const listMemberJournal = defineCall<typeof schemas.listMemberJournal>()({
  id: 'listMemberJournal',
  method: 'GET',
  path: `${members}/:id/journal`,
  access: 'operator',
  permission: 'ledger.read',
})

export const listMemberEmails = defineCall<typeof schemas.listMemberEmails>()({
  id: 'listMemberEmails',
  path: `${members}/:id/emails`,
  ...read,
})

export const getMemberEmail = defineCall<typeof schemas.getMemberEmail>()({
  id: 'getMemberEmail',
  path: `${members}/:id/emails/:email`,
  ...read,
  audited: true,
})

export const listMemberNotifications = defineCall<typeof schemas.listMemberNotifications>()({
  id: 'listMemberNotifications',
  path: `${members}/:id/notifications`,
  ...read,
})

export const listMemberTimeline = defineCall<typeof schemas.listMemberTimeline>()({
  id: 'listMemberTimeline',
  path: `${members}/:id/timeline`,
  ...read,
})

export const listMemberNotes = defineCall<typeof schemas.listMemberNotes>()({
  id: 'listMemberNotes',
  path: `${members}/:id/notes`,
  ...read,
})

export const addMemberNote = defineCall<typeof schemas.addMemberNote>()({
  id: 'addMemberNote',
  method: 'POST',
  path: `${members}/:id/notes`,
  access: 'operator',
  permission: 'notes.write',
})

export const deleteMemberNote = defineCall<typeof schemas.deleteMemberNote>()({
  id: 'deleteMemberNote',
  method: 'DELETE',
  path: `${members}/:id/notes/:note`,
  access: 'operator',
  permission: 'notes.write',
})

export const tagMember = defineCall<typeof schemas.tagMember>()({
  id: 'tagMember',
  method: 'PUT',
  path: `${members}/:id/tags`,
  access: 'operator',
  permission: 'notes.write',
})

export const correctMember = defineCall<typeof schemas.correctMember>()({
  id: 'correctMember',
  method: 'PUT',
  path: `${members}/:id/profile`,
  access: 'operator',
  permission: 'members.edit',
})

export const changeMemberEmail = defineCall<typeof schemas.changeMemberEmail>()({
  id: 'changeMemberEmail',
  method: 'PUT',
  path: `${members}/:id/email`,
  access: 'operator',
  permission: 'members.edit',
})

export const endMemberSession = defineCall<typeof schemas.endMemberSession>()({
  id: 'endMemberSession',
  method: 'DELETE',
  path: `${members}/:id/sessions/:session`,
  access: 'operator',
  permission: 'members.edit',
})

export const removeMemberPasskey = defineCall<typeof schemas.removeMemberPasskey>()({
  id: 'removeMemberPasskey',
  method: 'POST',
  path: `${members}/:id/passkeys/:passkey/removal`,
  access: 'operator',
  permission: 'members.edit',
})

export const resendMemberEmail = defineCall<typeof schemas.resendMemberEmail>()({
  id: 'resendMemberEmail',
  method: 'POST',
  path: `${members}/:id/emails/:email/resend`,
  access: 'operator',
  permission: 'members.edit',
})

export const grantMemberBonus = defineCall<typeof schemas.grantMemberBonus>()({
  id: 'grantMemberBonus',
  method: 'POST',
  path: `${members}/:id/bonuses`,
  access: 'operator',
  permission: 'ledger.adjust',
})

export const unlockMember = defineCall<typeof schemas.unlockMember>()({
  id: 'unlockMember',
  method: 'POST',
  path: `${members}/:id/unlock`,
  access: 'operator',
  permission: 'members.edit',
})

export const closeMember = defineCall<typeof schemas.closeMember>()({
  id: 'closeMember',
  method: 'POST',
  path: `${members}/:id/close`,
  access: 'operator',
  permission: 'members.close',
})

export const reopenMember = defineCall<typeof schemas.reopenMember>()({
  id: 'reopenMember',
  method: 'POST',
  path: `${members}/:id/reopen`,
  access: 'operator',
  permission: 'members.close',
})

export const previewAdjustment = defineCall<typeof schemas.previewAdjustment>()({
  id: 'previewAdjustment',
  method: 'POST',
  path: `${members}/:id/adjustment-preview`,
  access: 'operator',
  permission: 'ledger.adjust',
  readOnly: true,
})

export const adjustBalance = defineCall<typeof schemas.adjustBalance>()({
  id: 'adjustBalance',
  method: 'POST',
  path: `${members}/:id/adjustments`,
  access: 'operator',
  permission: 'ledger.adjust',
})

export const previewTier = defineCall<typeof schemas.previewTier>()({
  id: 'previewTier',
  method: 'POST',
  path: `${members}/:id/tier-preview`,
  access: 'operator',
  permission: 'members.edit',
  readOnly: true,
})

export const giveTier = defineCall<typeof schemas.giveTier>()({
  id: 'giveTier',
  method: 'POST',
  path: `${members}/:id/tiers`,
  access: 'operator',
  permission: 'members.edit',
})

export const endTier = defineCall<typeof schemas.endTier>()({
  id: 'endTier',
  method: 'POST',
  path: `${members}/:id/tiers/end`,
  access: 'operator',
  permission: 'members.edit',
})

export const previewMerge = defineCall<typeof schemas.previewMerge>()({
  id: 'previewMerge',
  method: 'POST',
  path: `${members}/:id/merge-preview`,
  access: 'operator',
  permission: 'members.close',
  readOnly: true,
})

export const mergeMember = defineCall<typeof schemas.mergeMember>()({
  id: 'mergeMember',
  method: 'POST',
  path: `${members}/:id/merges`,
  access: 'operator',
  permission: 'members.close',
})

export const exportMemberData = defineCall<typeof schemas.exportMemberData>()({
  id: 'exportMemberData',
  method: 'GET',
  path: `${members}/:id/export`,
  access: 'operator',
  permission: 'members.export',
  audited: true,
})
