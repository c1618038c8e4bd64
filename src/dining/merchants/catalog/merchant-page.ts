import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { socialImage, toSubject } from '../art/social-image.ts'
import type { MerchantDetail } from '../contract.ts'
import type { ReservationProviders } from '../names.ts'
import { offersOn } from '../rules.ts'
import { Hours, MenuSection, MerchantEvent, OrderingLink } from '../schemas.ts'
import { localDates } from '../search/local-dates.ts'
import { hideUnconnected } from './hide-unconnected.ts'
import { findPage } from './store.ts'
import { toMerchant } from './to-merchant.ts'

/**
 * Returns one restaurant's page. Throws `merchantNotFound`, also for a merchant that never participated. The page of
 * one that has left remains, without offers, because members' activity links to it. `connected` are the reservation
 * providers of this installation.
 */
export async function loadMerchantPage(
  ctx: Ctx,
  publicId: string,
  connected: ReservationProviders,
): Promise<MerchantDetail> {
  const found = await findShown(ctx, publicId)
  if (!found) throw new ApiError('merchantNotFound')
  const row = hideUnconnected(found, connected)
  const today = localDates(ctx.now())(row.timeZone)
  const offers = row.participating ? offersOn(row.offers, today) : []
  const menus = MenuSection.array().parse(row.menus)
  return {
    ...toMerchant({ ...row, offers }, { miles: null, origin: null, today }),
    participating: row.participating,
    socialImageUrl: socialImage(toSubject(row)).href,
    description: row.description,
    website: row.website,
    menuUrl: row.menuUrl,
    menus,
    menuImages: menus.map(({ section }, index) => ({ section, url: `/art/${row.publicId}/menu/${index}` })),
    events: MerchantEvent.array()
      .parse(row.events)
      .filter(({ date }) => date >= today),
    ordering: OrderingLink.array().parse(row.ordering),
    hours: row.hours === null ? null : Hours.parse(row.hours),
    timeZone: row.timeZone,
    features: row.features,
    meals: row.meals,
    offers,
  }
}

/** Returns all data of a restaurant that has a page: it participates, or did. */
export async function findShown(ctx: Ctx, publicId: string): ReturnType<typeof findPage> {
  const row = await findPage(ctx.db, publicId)
  return row && (row.participating || row.leftOn !== null) ? row : undefined
}

/** Returns the restaurant's name and menu, for images; null when there is no such page. */
export async function findMenu(ctx: Ctx, publicId: string): Promise<{ name: string; menus: MenuSection[] } | null> {
  const row = await findShown(ctx, publicId)
  return row ? { name: row.name, menus: MenuSection.array().parse(row.menus) } : null
}
