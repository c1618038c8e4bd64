import { findMemberRow, hashCard, hashPerson } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import * as store from './store.ts'

/** Returns the codes of the bonuses that a transaction with this card does not count toward. */
export type EarnedElsewhere = (cardId: number | null) => string[]

/**
 * Returns the bonuses that other accounts have earned, deleted or not: those of the member's own person, and for each of
 * these cards those of every account that has had it. Also for a deleted account, which is known only by its hashes.
 */
export async function listEarnedElsewhere(
  db: Db | Tx,
  { returningKey }: Pick<Ctx, 'returningKey'>,
  { memberId, cardIds }: { memberId: number; cardIds: readonly number[] },
): Promise<EarnedElsewhere> {
  const member = await findMemberRow(db, memberId)
  if (!member) return () => []
  const isDeleted = member.deleted_at !== null
  const own = isDeleted ? await store.listOwnHashes(db, memberId) : await hashOpen(db, returningKey, member, cardIds)
  if (own.length === 0) return () => []
  // Open accounts first: one that is deleted meanwhile is found as a deleted one.
  const found = [
    ...(isDeleted ? await findOpen(db, returningKey, memberId, own) : []),
    ...(await store.listEarnedByOthers(db, memberId, own)),
  ]
  return (cardId) => found.filter((each) => each.cardId === null || each.cardId === cardId).map(({ code }) => code)
}

interface Person {
  email: string
  partner_number: string | null
}

async function hashOpen(
  db: Db | Tx,
  key: Buffer,
  { email, partner_number: partnerNumber }: Person,
  cardIds: readonly number[],
): Promise<store.Identifier[]> {
  const cards = await store.listFingerprints(db, cardIds)
  return [
    ...hashPerson(key, { email, partnerNumber }).map((hash) => ({
      cardId: null,
      fingerprint: null,
      hash: hash.toString('hex'),
    })),
    ...cards.map(({ id, fingerprint }) => ({
      cardId: id,
      fingerprint,
      hash: hashCard(key, fingerprint).toString('hex'),
    })),
  ]
}

/** Returns what open accounts have earned which are of the person, or have had a card, of a deleted account. */
async function findOpen(db: Db | Tx, key: Buffer, memberId: number, own: readonly store.Identifier[]) {
  const holders = await store.listOpenHolders(db, memberId)
  return holders.flatMap(({ codes, email, isEmailVerified, partnerNumber, fingerprints }) => {
    // An address that was only typed says nothing about its owner.
    const person = hashPerson(key, { email: isEmailVerified ? email : undefined, partnerNumber })
    const hashes = [...person, ...fingerprints.map((fingerprint) => hashCard(key, fingerprint))]
    const known = new Set(hashes.map((hash) => hash.toString('hex')))
    return own.filter(({ hash }) => known.has(hash)).flatMap(({ cardId }) => codes.map((code) => ({ cardId, code })))
  })
}
