import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { findShown } from '../catalog/merchant-page.ts'
import type { MerchantReadModel } from '../search/read-model.ts'
import { findReviews } from './store.ts'

/** Returns a page of a restaurant's reviews. Throws `merchantNotFound`. */
export async function loadMerchantReviews(
  ctx: Ctx,
  model: MerchantReadModel,
  publicId: string,
  page: { pageNo: number; resultsPerPage: number },
) {
  // The search has no restaurant that has left.
  const row = model.bySlug(publicId) ?? (await findShown(ctx, publicId))
  if (!row) throw new ApiError('merchantNotFound')
  const { reviews, total } = await findReviews(ctx.db, row.id, page)
  return { data: reviews, totalResultSize: total, totalPages: Math.ceil(total / page.resultsPerPage) }
}
