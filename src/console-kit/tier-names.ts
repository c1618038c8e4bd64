import type { OperatorCtx } from '../platform/http/operator.ts'
import type { TierLevel } from '../programs/partners/contract.ts'

/** Returns what a program calls its tiers, as its members read it. */
export const tierNamesOf = ({ t }: Pick<OperatorCtx, 't'>): Record<TierLevel, string> => ({
  OptedOut: t('tier.OptedOut'),
  NonActivated: t('tier.NonActivated'),
  OptedIn: t('tier.OptedIn'),
  VIP: t('tier.VIP'),
})
