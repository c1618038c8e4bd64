import { createHash } from 'node:crypto'
import type { Db } from '../platform/database/db.ts'
import { MINUTE, SECOND } from '../platform/time.ts'
import type { CardType } from '../programs/partners/contract.ts'
import { brandName, passesLuhn } from '../rewards/cards/rules.ts'
import { listPartnerCardExpiries, loadPartnerCard, sealCard } from '../rewards/cards/service.ts'
import type { CardVault } from '../rewards/cards/vault.ts'

const prefixes: Record<CardType, string> = { VISA: '4000', MAST: '5100', AMEX: '3400', DISC: '6500' }
const names = ['Everyday', 'Travel', 'Family']

/** Returns whether a holder's sample cards are loaded and remain valid for a year. */
export async function hasSampleCards(db: Db, holder: string): Promise<boolean> {
  const lastValid = `${new Date().getUTCFullYear() + 1}-12`
  const expiries = await listPartnerCardExpiries(db, holder)
  return expiries.filter((expires) => expires > lastValid).length >= names.length
}

/** Loads three cards for a member as the partner would: fictitious numbers, sealed for the vault. */
export async function loadSampleCards(
  to: { db: Db; partnerId: string; brands: readonly CardType[] },
  vault: CardVault,
  holder: string,
): Promise<void> {
  const key = await vault.sealingKey()
  for (const [index, name] of names.entries()) {
    const brand = to.brands[index % to.brands.length] as CardType
    await loadPartnerCard(to, vault, {
      holder,
      partnerCardId: `sample-${holder}-${index + 1}`,
      description: `${name} ${brandName(brand)}`,
      encryptedCardNumber: await sealCard(key, {
        number: sampleNumber(brand, `${to.partnerId}:${holder}:${index}`),
        expires: `${new Date().getUTCFullYear() + 3}-0${index + 4}`,
        tenant: to.partnerId,
        purpose: 'load',
        exp: Math.floor((Date.now() + 5 * MINUTE) / SECOND),
      }),
    })
  }
}

/** Deterministic per holder, so that loading again changes nothing. */
function sampleNumber(brand: CardType, about: string): string {
  const length = brand === 'AMEX' ? 15 : 16
  const digits = BigInt(`0x${createHash('sha256').update(about).digest('hex')}`).toString()
  const body = (prefixes[brand] + digits).slice(0, length - 1)
  return [...'0123456789'].map((check) => body + check).find(passesLuhn) as string
}
