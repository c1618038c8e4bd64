import { notify } from '../../identity/notifications/service.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { DAY } from '../../platform/time.ts'
import { expiresSoonDays } from './rules.ts'
import * as store from './store.ts'

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Notifies members of linked cards that are about to expire, once per card. */
export async function notifyExpiringCards(ctx: Ctx): Promise<void> {
  const until = new Date(ctx.now().getTime() + expiresSoonDays * DAY).toISOString().slice(0, 7)
  const since = ctx.now().toISOString().slice(0, 7)
  for (const card of await store.listExpiringCards(ctx.db, { since, until })) {
    const params = { lastFour: card.lastFour, month: month.format(new Date(`${card.expires}-01T00:00:00Z`)) }
    const about = `${card.publicId}:${card.expires}`
    await inTransaction(ctx.db, (tx) =>
      notify(tx, {
        memberId: card.memberId,
        topic: 'cardExpires',
        about,
        params,
        path: '/account/manage_cards',
        recordUnwanted: true,
      }),
    )
  }
}
