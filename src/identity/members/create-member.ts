import type { Tx } from '../../platform/database/db.ts'
import { publicId } from '../../platform/security/ids.ts'
import * as store from './store.ts'

type Details = Omit<store.NewMember, 'public_id' | 'referral_code' | 'family_id' | 'id'>

/**
 * Creates a member of this partner, without cards. The referral code differs from the public id, because it is shown to
 * others.
 */
export async function createMember(tx: Tx, details: Details): Promise<store.MemberRow> {
  return store.insertMember(tx, {
    ...details,
    public_id: publicId(),
    referral_code: publicId().slice(0, 12),
    family_id: publicId(),
  } as store.NewMember)
}
