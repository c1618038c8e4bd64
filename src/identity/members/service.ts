import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { dayOf } from '../../programs/partners/rules.ts'
import type { ActiveBonus, DiningProgress, KnownMember, Member } from './contract.ts'
import * as store from './store.ts'
import { getCurrentTier } from './tier.ts'

export { findConsent, recordConsent } from './consents.ts'
export { createMember } from './create-member.ts'
export {
  deriveReturningKey,
  hashCard,
  hashPerson,
  isFormerMember,
  purgeFormerMembers,
  storeFormerMember,
} from './former-members.ts'
export { claimAddress, findOrCreateMemberByIdentity, type Identity } from './identities.ts'
export { isKnownToken, signKnownToken } from './known-token.ts'
export {
  findMergedAccount,
  findMergedInto,
  hasFamilyId,
  listMergedInto,
  listOwnAccounts,
  type Merge,
  moveMemberNumber,
  moveMemberRecords,
  storeMerge,
} from './merged.ts'
export { isMeant, isNamed, waysToFind } from './named.ts'
export { deleteNotesOf, deleteOwnNote, insertNote, listNotes, listTagsOf, replaceTags } from './notes.ts'
export { lockOwnMember, requireSession } from './own-member.ts'
export { termsOf } from './search-terms.ts'
export type { Credentials, MemberEligibility, MemberRow, StoredPassword } from './store.ts'
export {
  deleteIdentities as unlinkIdentities,
  findByName as findMemberByName,
  findByPublicId as findMemberByPublicId,
  findCredentials,
  findMember as findMemberRow,
  findPassword,
  isStanding,
  listConsents,
  lockMember,
  lockMembers,
  lockOpenMember,
} from './store.ts'
export {
  endTierGrants,
  findTierGrants,
  getCurrentTier,
  grantAbove,
  insertTierGrant,
  type TierGrant,
} from './tier.ts'
export {
  applyVipTransitions,
  mergeVip,
  revokeScheduledVip,
  type ScheduledVip,
  scheduleVip,
  shortenVip,
  type VipYear,
} from './vip.ts'

/** Returns the row of the signed-in member. Throws `unauthorized` when it does not exist anymore. */
export async function getSignedInMember(ctx: MemberCtx): Promise<store.MemberRow> {
  const member = await store.findMember(ctx.db, ctx.actor.memberId)
  if (!member) throw new ApiError('unauthorized')
  return member
}

export const changeMember = store.changeMember
/** Redacts all personal data of a member; the row remains for the ledger, with random identifiers. */
export async function eraseMember(tx: Tx, id: number): Promise<void> {
  const names = { public_id: publicId(), referral_code: publicId().slice(0, 12), family_id: publicId() }
  await store.redactMember(tx, id, names)
}

export const setCredentials = store.saveCredentials
export const findMemberIdByIdentity = store.findByIdentity
export const findMemberByEmail = store.findByEmail

/** Returns the words and numbers that a password of this member must not consist of. */
export function passwordOwner(member: store.MemberRow, config: { name: string; programName: string }) {
  const personal = [member.first_name, member.last_name, member.email, config.name, config.programName]
  return { personal, ...(member.partner_number && { partnerNumber: member.partner_number }) }
}

/** Member data from other modules. */
export interface ReadMemberDeps {
  getProgress: (ctx: Ctx, memberId: number) => Promise<DiningProgress>
  getBonuses: (ctx: Ctx, member: store.MemberRow) => Promise<ActiveBonus[]>
}

/** Returns the member's own view. Progress and bonuses come from the given functions. */
export async function readMember(
  ctx: Ctx,
  memberId: number,
  { getProgress, getBonuses }: ReadMemberDeps,
): Promise<Member> {
  const row = await store.findMember(ctx.db, memberId)
  if (!row) throw new Error(`the member of a session does not exist: ${memberId}`)
  const [diningProgress, activeBonuses] = [await getProgress(ctx, memberId), await getBonuses(ctx, row)]
  const { tier, grant } = await getCurrentTier(ctx, row)
  const holder = row.email_identifies ? undefined : await store.findByEmail(ctx.db, row.email)
  const emailIsShared = holder !== undefined && holder.id !== memberId
  const shown = { tierLevel: tier, tierUntil: grant?.lastDay ?? null }
  return { ...personal(row, ctx.program.config), ...shown, emailIsShared, diningProgress, activeBonuses }
}

function personal(
  row: store.MemberRow,
  config: Pick<PublicConfig, 'timeZone'>,
): Omit<Member, 'tierLevel' | 'tierUntil' | 'emailIsShared' | 'diningProgress' | 'activeBonuses'> {
  return {
    publicId: row.public_id,
    familyId: row.family_id,
    referralCode: row.referral_code,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    emailOptIn: row.email_opt_in,
    phoneNumber: row.phone_number ?? '',
    smsOptIn: row.sms_opt_in,
    address: {
      address1: row.address1,
      address2: row.address2,
      city: row.city,
      state: row.state,
      zipCode: row.zip_code,
    },
    partnerNumber: row.partner_number,
    memberType: row.member_type as Member['memberType'],
    hasWebProfile: row.has_web_profile,
    active: row.active,
    enrollmentSource: row.enrollment_source,
    joinDate: dayOf(config, row.joined_at),
    mustFixCredentials: row.must_fix_credentials,
  }
}

/** Returns the reduced record of a public id. Throws `memberNotFound`. */
export async function readKnownMember(
  db: Db,
  ctx: Pick<Ctx, 'actor' | 'program' | 'now'>,
  id: string,
): Promise<Omit<KnownMember, 'token'>> {
  const row = await store.findByPublicId(db, id)
  if (!row) throw new ApiError('memberNotFound')
  return {
    publicId: row.public_id,
    firstName: row.first_name,
    tierLevel: (await getCurrentTier({ ...ctx, db }, row)).tier,
    memberType: row.member_type as KnownMember['memberType'],
    hasWebProfile: row.has_web_profile,
    active: row.active,
    interfaceType: ctx.actor.memberId === row.id ? signedInBy(ctx) : 'known',
  }
}

function signedInBy(ctx: Pick<Ctx, 'program'>): 'sso' | 'direct' {
  return ctx.program.config.enrollmentType === 'sso' ? 'sso' : 'direct'
}
