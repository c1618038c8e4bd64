import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { createMember } from './create-member.ts'
import * as store from './store.ts'

/** A customer of the partner, as its identity provider describes them. */
export interface Identity {
  issuer: string
  subject: string
  email: string
  /** The provider has verified that the address is the customer's. */
  emailVerified: boolean
  firstName: string
  lastName: string
  partnerNumber?: string | undefined
}

export interface IdentifiedMember {
  memberId: number
  /** The identity was linked to an existing member by the address that both sides have verified. */
  newlyLinked: boolean
}

/**
 * Returns the member of a sign-in at the partner's identity provider: the linked one, else the one with the same
 * address if both sides have verified it (which is then linked), else a new one without cards. An address that the
 * provider has not verified identifies nobody; one that only the provider has verified is taken from whoever has it.
 * Throws `emailNotVerified` when another member has verified the address and the provider has not.
 */
export async function findOrCreateMemberByIdentity(tx: Tx, identity: Identity): Promise<IdentifiedMember> {
  const linked = await findLinked(tx, identity)
  if (linked !== undefined) {
    await store.changeMember(tx, linked, namesOf(identity))
    if (identity.emailVerified) await confirmAddress(tx, linked, identity)
    return { memberId: linked, newlyLinked: false }
  }
  const holder = await store.findByEmail(tx, identity.email)
  const hasVerified = holder !== undefined && holder.email_verified_at !== null
  if (hasVerified && !identity.emailVerified) throw new ApiError('emailNotVerified')
  if (holder && !hasVerified && identity.emailVerified) await yieldAddress(tx, holder.id)
  const memberId = hasVerified ? holder.id : (await createMember(tx, detailsOf(identity))).id
  await store.saveIdentity(tx, { ...identity, memberId })
  return { memberId, newlyLinked: hasVerified }
}

/**
 * Returns the linked member; undefined when there is none, or when the link is in doubt: the provider has not verified
 * the address, and the member has another identity. Such links date from when an address could match without proof.
 */
async function findLinked(tx: Tx, identity: Identity): Promise<number | undefined> {
  const memberId = await store.findByIdentity(tx, identity.issuer, identity.subject)
  if (memberId === undefined || identity.emailVerified) return memberId
  return (await store.hasOtherIdentity(tx, { ...identity, memberId })) ? undefined : memberId
}

/** The provider may have verified the member's address meanwhile. */
async function confirmAddress(tx: Tx, memberId: number, { email }: Identity): Promise<void> {
  const member = await store.lockOpenMember(tx, memberId)
  if (member.email.toLowerCase() === email.toLowerCase()) await claimAddress(tx, member)
}

/**
 * Stores that the member's address is verified; a member who has it unverified is no longer found by it. Returns false,
 * and changes nothing, when another member has verified it before. The caller has locked the member.
 */
export async function claimAddress(tx: Tx, member: store.MemberRow): Promise<boolean> {
  if (member.email_verified_at) return true
  const holder = await store.findByEmail(tx, member.email)
  if (holder && holder.id !== member.id) {
    if (holder.email_verified_at) return false
    await yieldAddress(tx, holder.id)
  }
  await store.changeMember(tx, member.id, { email_verified_at: new Date(), email_identifies: true })
  return true
}

/** The member keeps the address for our emails, and is no longer found by it. */
async function yieldAddress(tx: Tx, memberId: number): Promise<void> {
  await store.changeMember(tx, memberId, { email_identifies: false })
}

function detailsOf(identity: Identity) {
  const { email, emailVerified } = identity
  const verified = emailVerified ? new Date() : null
  return { ...namesOf(identity), email, email_verified_at: verified, email_identifies: emailVerified, zip_code: '' }
}

function namesOf(identity: Identity): { first_name: string; last_name: string } {
  return { first_name: identity.firstName.slice(0, 20), last_name: identity.lastName.slice(0, 20) }
}
