import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { isKnownZip } from '../../programs/places/service.ts'
import { membersCopy } from './copy.ts'
import { memberExamples } from './examples.ts'
import { type MemberDeps, memberRoutes } from './routes.ts'
import { purgeFormerMembers } from './service.ts'

type Needs = Omit<MemberDeps, 'zipIsKnown'>

export const membersModule: Module<Needs> = {
  name: 'identity/members',
  messages: membersCopy,
  examples: memberExamples,
  routes: (app, { knownKey, preparePassword, getBonuses, getProgress }) =>
    memberRoutes(app, { knownKey, preparePassword, getBonuses, getProgress, zipIsKnown: isKnownZip }),
  tasks: { 'former-members': cleanup(purgeFormerMembers) },
  memberTables: [
    { table: 'members', deletion: 'redacted', merging: 'stays' },
    { table: 'credentials', secret: ['password_hash'], deletion: 'deleted', merging: 'ended' },
    { table: 'identities', deletion: 'deleted', merging: 'moved' },
    // Consents must remain provable: the text and the time, without a name.
    { table: 'consents', deletion: 'retained', merging: 'stays' },
    { table: 'member_tiers', deletion: 'retained', merging: 'stays' },
    // What operators have written about the member.
    { table: 'member_notes', secret: ['operator_id'], deletion: 'deleted', merging: 'moved' },
    { table: 'member_tags', deletion: 'deleted', merging: 'moved' },
    { table: 'tier_grants', deletion: 'retained', merging: 'moved' },
    { table: 'member_merges', deletion: 'retained', merging: 'stays' },
    // Copies of what the row of the member has, to be found by.
    { table: 'member_terms', isCopy: true, deletion: 'deleted', merging: 'stays' },
    // Only deleted accounts have rows, which are deleted after two years.
    { table: 'former_member_identifiers', secret: ['identifier_hash'], deletion: 'retained', merging: 'stays' },
  ],
}
