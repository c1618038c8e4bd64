import { sampleUsers } from '../../id/users.ts'
import type { Pools } from '../platform/database/db.ts'
import type { Program } from '../programs/partners/context.ts'
import type { CardVault } from '../rewards/cards/vault.ts'
import { hasSampleCards, loadSampleCards } from '../staging/sample-cards.ts'

/** Loads cards for the users of the sample identity provider, so that a first visit shows some. Idempotent. */
export async function seedPartnerCards(
  { pools, vault }: { pools: Pools; vault: CardVault },
  programs: ReadonlyMap<string, Program>,
): Promise<void> {
  for (const [partnerId, { config }] of programs) {
    if (!config.hasPartnerLoadedCards || config.sso?.issuer !== 'sample') continue
    const to = { db: pools.forPartner(partnerId), partnerId, brands: config.cardTypesAccepted }
    for (const { subject } of sampleUsers) {
      if (!(await hasSampleCards(to.db, subject))) await loadSampleCards(to, vault, subject)
    }
  }
}
