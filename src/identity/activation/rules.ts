import type { KnownMember } from '../members/contract.ts'
import { withReturn } from '../session/sso/return-path.ts'

/** The step of the activation page: a stage to show or a redirect. */
export type Step = { stage: 'activation' | 'activated' } | { to: string }

interface Facts {
  publicId: string | null
  /** Undefined while the lookup is pending, null when it failed. */
  known: Pick<KnownMember, 'tierLevel' | 'hasWebProfile' | 'active'> | null | undefined
  /** True right after this page has activated the member. */
  justActivated: boolean
  /** Where the person wanted to go; '' if nowhere. */
  returnTo: string
}

/**
 * Returns the next step of the activation page. Visitors with nothing to activate are redirected, with the reason in
 * `rfr`. Returns undefined while the lookup is pending.
 */
export function stepOf({ publicId, known, justActivated, returnTo }: Facts): Step | undefined {
  const toward = (path: string) => ({ to: withReturn(path, returnTo) })
  if (justActivated) return { stage: 'activated' }
  if (publicId === null) return toward('/join?rfr=0')
  if (known === undefined) return undefined
  if (known === null) return toward('/join?rfr=1')
  if (known.tierLevel === 'NonActivated') return { stage: 'activation' }
  if (!known.hasWebProfile) return toward('/join?rfr=2')
  return toward(known.active ? '/login?rfr=3' : '/login?rfr=4')
}
