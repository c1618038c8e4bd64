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
  /** Empty for people with one name. */
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
 * address if both sides have verified it and it is no other customer of the provider (which is then linked), else a new
 * one without cards. An address that the
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
  const holder = await lockHolder(tx, identity.email)
  const hasVerified = holder !== undefined && holder.email_verified_at !== null
  if (hasVerified && !identity.emailVerified) throw new ApiError('emailNotVerified')
  if (holder && !hasVerified && identity.emailVerified) await yieldAddress(tx, holder.id)
  const newlyLinked = hasVerified && !(await store.hasIdentityOf(tx, identity.issuer, holder.id))
  const identifies = identity.emailVerified && !hasVerified
  const memberId = newlyLinked ? holder.id : (await createMember(tx, detailsOf(identity, identifies))).id
  await store.saveIdentity(tx, { ...identity, memberId })
  return { memberId, newlyLinked }
}

/** Locks the member whom an address identifies: two identities may be about to be linked to it. */
async function lockHolder(tx: Tx, email: string): Promise<store.MemberRow | undefined> {
  const found = await store.findByEmail(tx, email)
  const holder = found && (await store.lockMember(tx, found.id))
  return holder?.email.toLowerCase() === email.toLowerCase() && holder.email_identifies ? holder : undefined
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

function detailsOf(identity: Identity, identifies: boolean) {
  const verified = identifies ? new Date() : null
  const address = { email: identity.email, email_verified_at: verified, email_identifies: identifies }
  return { ...namesOf(identity), ...address, zip_code: '' }
}

function namesOf(identity: Identity): { first_name: string; last_name: string } {
  return { first_name: identity.firstName, last_name: identity.lastName }
}
