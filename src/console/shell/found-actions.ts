import { nameOf } from '../../account/console/member-words.ts'
import type { ConsoleProgram } from '../../console-kit/session/contract.ts'
import { timeText } from '../../console-kit/times.ts'
import { formatCents } from '../../platform/money.ts'
import type { Found } from '../search/contract.ts'

/** An entry of the command palette that opens a page of the console, or of the member app. */
export interface FoundAction {
  id: string
  label: string
  description: string
  to: string
}

export interface FoundGroup {
  group: string
  actions: FoundAction[]
}

/** What a search returns of each kind at most; there may be more. */
const few = 5

/**
 * Returns what a search has found as entries of the command palette. With several programs, each entry names its own.
 */
export function toFoundGroups(
  found: readonly Found[],
  { programs, text }: { programs: readonly ConsoleProgram[]; text: string },
): FoundGroup[] {
  const several = found.length > 1
  const actionsOf = (toActions: (each: Found, program: ConsoleProgram) => FoundAction[]) =>
    found.flatMap((each) => {
      const program = programs.find(({ code }) => code === each.program)
      if (!program) return []
      return toActions(each, program).map((action) => ({
        ...action,
        id: `${program.code}:${action.id}`,
        description: several ? `${program.name} · ${action.description}` : action.description,
      }))
    })
  return [
    { group: 'Members', actions: actionsOf((each, program) => memberActions(each, program, text)) },
    { group: 'Transactions', actions: actionsOf(transactionActions) },
    { group: 'Restaurants', actions: actionsOf(restaurantActions) },
    { group: 'Claims', actions: actionsOf(claimActions) },
  ].filter(({ actions }) => actions.length > 0)
}

function memberActions({ members }: Found, { code }: ConsoleProgram, text: string): FoundAction[] {
  const actions = members.map((member) => ({
    id: `member:${member.id}`,
    label: nameOf(member),
    description: [
      member.memberType === 'ClosedAccountMember' && 'Closed',
      member.email,
      member.partnerNumber,
      member.lastFours.length > 0 && `card ${member.lastFours.join(', ')}`,
    ]
      .filter(Boolean)
      .join(' · '),
    to: `/${code}/members/${member.id}`,
  }))
  if (members.length < few) return actions
  const all = { id: 'members', label: `All members found by “${text}”`, description: 'Opens the list' }
  return [...actions, { ...all, to: `/${code}/members?q=${encodeURIComponent(text)}` }]
}

const transactionActions = ({ transactions }: Found, { code, timeZone }: ConsoleProgram): FoundAction[] =>
  transactions.map(({ id, merchantName, at, cents, lastFour }) => ({
    id: `transaction:${id}`,
    label: `${formatCents(cents)} at ${merchantName || 'an unknown restaurant'}`,
    description: [timeText(at, timeZone), lastFour && `card ${lastFour}`].filter(Boolean).join(' · '),
    to: `/${code}/transactions/${id}`,
  }))

const restaurantActions = ({ restaurants }: Found, { code, origin, permissions }: ConsoleProgram): FoundAction[] =>
  restaurants.map(({ id, name, city, state }) => {
    const hasTransactions = permissions.includes('transactions.read')
    return {
      id: `restaurant:${id}`,
      label: name,
      description: `${city}, ${state} · ${hasTransactions ? 'Its transactions' : 'Its page in the member app'}`,
      to: hasTransactions ? `/${code}/transactions?restaurant=${id}` : `${origin}/merchants/${id}`,
    }
  })

const claimActions = ({ claims }: Found, { code }: ConsoleProgram): FoundAction[] =>
  claims.map(({ id, merchantName, memberName, cents, isDecided }) => ({
    id: `claim:${id}`,
    label: `${formatCents(cents)} at ${merchantName}`,
    description: [isDecided ? 'Decided' : 'Open', memberName].filter(Boolean).join(' · '),
    to: `/${code}/claims/${id}${isDecided ? '?state=decided' : ''}`,
  }))
