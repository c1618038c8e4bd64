import type { KnownMember } from '../members/contract.ts'

/** What the activation page does for a known member; null for one who cannot be found. */
export type Step = { stage: 'activation' | 'activated' } | { to: string }

interface Facts {
  publicId: string | null
  /** Undefined while the lookup goes on, null when it failed. */
  known: Pick<KnownMember, 'tierLevel' | 'hasWebProfile' | 'active'> | null | undefined
  /** This page activated the member a moment ago. */
  justActivated: boolean
}

/**
 * Where a visitor of the activation page goes: who has nothing to activate is sent on, with the reason in `rfr`.
 * Undefined while that is not known yet.
 */
export function stepOf({ publicId, known, justActivated }: Facts): Step | undefined {
  if (justActivated) return { stage: 'activated' }
  if (publicId === null) return { to: '/join?rfr=0' }
  if (known === undefined) return undefined
  if (known === null) return { to: '/join?rfr=1' }
  if (known.tierLevel === 'NonActivated') return { stage: 'activation' }
  if (!known.hasWebProfile) return { to: '/join?rfr=2' }
  return { to: known.active ? '/login?rfr=3' : '/login?rfr=4' }
}
