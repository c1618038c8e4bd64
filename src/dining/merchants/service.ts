import type { Db } from '../../platform/database/db.ts'
import * as store from './catalog/store.ts'
import type { MerchantDetail } from './contract.ts'
import { Hours } from './schemas.ts'

export { hasWords, isRestaurantMeant, isRestaurantNamed, nearestName } from './named.ts'
export { addReview, redactReviews } from './reviews/store.ts'

/** A restaurant that accepts reservations, with every current and past offer. */
export type BookableMerchant = Omit<store.BookableMerchant, 'hours'> & { hours: MerchantDetail['hours'] }

/** Finds a participating restaurant by its public id, or any restaurant by its internal id. */
export async function findBookableMerchant(db: Db, id: string | number): Promise<BookableMerchant | undefined> {
  const row = typeof id === 'string' ? await store.findBookable(db, id) : await store.findBookableById(db, id)
  return row && { ...row, hours: row.hours === null ? null : Hours.parse(row.hours) }
}
