/** Returns true when an item is for every visitor or lists the visitor's state. */
export function isFor(states: readonly string[], state: string): boolean {
  return states.length === 0 || states.includes(state)
}

const tiers: Record<string, string> = { OptedOut: 'tier0', NonActivated: 'tier1', OptedIn: 'tier2', VIP: 'tier3' }

/**
 * Returns the name of the visitor's state, which selects content. A signed-in member takes precedence over a known
 * visitor. A closed account has its own content before signing in; afterwards the page to link a card stands in place of
 * every page.
 */
export function userState(
  member: { memberType: string; tierLevel: string } | null,
  known: { memberType: string; tierLevel: string } | null = null,
): string {
  if (!member && !known) return 'anonymous'
  if ((member ?? known)?.memberType === 'ClosedAccountMember') return 'closed'
  if (!member) return known?.tierLevel === 'NonActivated' ? 'tier1' : 'known'
  if (member.memberType === 'NonCardMember') return 'nonCard'
  return tiers[member.tierLevel] ?? 'default'
}

/**
 * Returns the entry for a state, else the default entry, else the first. A state outside the program's `copyStates`
 * gets the default entry; an empty list means all states.
 */
export function chooseByState<F extends { user_states: readonly string[] }>(
  entries: readonly F[],
  state: string,
  copyStates: readonly string[] = [],
): F | undefined {
  const has = (name: string) => (fields: F) => fields.user_states.includes(name)
  const own = copyStates.length === 0 || copyStates.includes(state) ? entries.find(has(state)) : undefined
  return own ?? entries.find(has('default')) ?? entries[0]
}
