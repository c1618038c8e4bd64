import type { RewardUnit } from '../earning/terms.ts'

/** What an account owed when it left the account, and who carries it now. Amounts are in the smallest unit. */
export interface Debt {
  /** The account in which it arose. */
  originId: number
  unit: RewardUnit
  /** What no account carries; below zero, what is to be given back because a refund was corrected. */
  open: number
  /** What other accounts carry of it, by member; 0 once it was given back. */
  carried: ReadonlyMap<number, number>
}

/** A debt as an open account sees it. */
export interface RelatedDebt extends Debt {
  /** The account has the email address or the member number of one that owed or carried it. */
  isOwnPerson: boolean
  /** The same, and the address was proved: who has only typed it gets nothing back. */
  isProvedPerson: boolean
  /** What was taken back from meals paid with cards that are linked in this account: it owes no more for a card. */
  cardPart: number
}

/** Another open account. */
export interface OtherAccount {
  memberId: number
  balances: ReadonlyMap<RewardUnit, number>
  /** The accounts in which debts arose and a card of which is linked here: these debts stay. */
  hasCardOf: ReadonlySet<number>
}

export type StepCode = 'debtLeft' | 'debtCarried' | 'cardDebtCarried' | 'debtReturned' | 'debtSettled'

/** A journal entry between a member's balance and a debt; `amount` is what the member's balance gains. */
export interface DebtStep {
  originId: number
  unit: RewardUnit
  memberId: number
  amount: number
  code: StepCode
}

const carriedInAll = ({ carried }: Debt) => [...carried.values()].reduce((sum, amount) => sum + Math.max(0, amount), 0)

interface Account {
  memberId: number
  balances: ReadonlyMap<RewardUnit, number>
  debts: readonly RelatedDebt[]
  others: readonly OtherAccount[]
}

/**
 * Returns what a deleted account posts. A balance below zero leaves it: first what it carried returns to the debts that
 * it came from, then the rest becomes its own debt. A balance above zero, after a corrected refund or a meal that is
 * charged late, settles its own debt, then those of the same person, and of the cards that it had when it was deleted.
 */
export function planClosedAccount({ memberId, balances, debts, others }: Account): DebtStep[] {
  const steps: DebtStep[] = []
  const owed = owedByOthers(others)
  for (const [unit, balance] of balances) {
    const ofUnit = debts.filter((debt) => debt.unit === unit)
    const own = ofUnit.find((debt) => debt.originId === memberId)
    const step = (originId: number, amount: number, code: StepCode) => {
      if (amount !== 0) steps.push({ originId, unit, memberId, amount, code })
    }
    const settled = own ? Math.max(0, Math.min(balance, own.open + carriedInAll(own))) : 0
    step(memberId, -settled, 'debtSettled')
    let left = Math.max(0, balance - settled)
    let missing = Math.max(0, -balance)
    for (const debt of ofUnit.filter(({ originId }) => originId !== memberId)) {
      const returned = Math.min(missing, Math.max(0, debt.carried.get(memberId) ?? 0))
      step(debt.originId, returned, 'debtLeft')
      missing -= returned
      const taken = takeOver(memberId, debt, owed, { upTo: left, isClosed: true })
      steps.push(...taken)
      left += sumOf(taken.filter((each) => each.memberId === memberId))
    }
    step(memberId, missing, 'debtLeft')
  }
  return steps
}

const sumOf = (steps: readonly DebtStep[]) => steps.reduce((sum, { amount }) => sum + amount, 0)

/** What other open accounts owe by now, in each unit: it falls with every step. */
type OwedByOthers = ReadonlyMap<OtherAccount, Map<RewardUnit, number>>

const owedByOthers = (others: readonly OtherAccount[]): OwedByOthers =>
  new Map(others.map((other) => [other, new Map([...other.balances].map(([unit, balance]) => [unit, -balance]))]))

/**
 * Returns how an account takes over a debt: first what no account carries, the same person all of it; then what other open
 * accounts owe of it. `upTo` limits it to a balance. `isClosed`: the deleted account of a person pays before other
 * accounts do; in any other case a debt stays where one of its cards is linked, and only its card brings it from there.
 */
function takeOver(
  memberId: number,
  debt: RelatedDebt,
  owedBy: OwedByOthers,
  { upTo, isClosed }: { upTo: number; isClosed: boolean },
): DebtStep[] {
  const { originId, unit, isOwnPerson } = debt
  const ofCard = Math.min(upTo, Math.max(0, debt.cardPart - (debt.carried.get(memberId) ?? 0)))
  const steps: DebtStep[] = []
  const taken = Math.max(0, Math.min(debt.open, isOwnPerson ? upTo : ofCard))
  if (taken > 0)
    steps.push({ originId, unit, memberId, amount: -taken, code: isOwnPerson ? 'debtCarried' : 'cardDebtCarried' })
  const isWhole = isClosed && isOwnPerson
  let missing = (isWhole ? upTo : ofCard) - taken
  for (const [other, owed] of owedBy) {
    const limit = other.memberId === originId ? missing : Math.min(missing, debt.carried.get(other.memberId) ?? 0)
    const amount = Math.min(limit, owed.get(unit) ?? 0)
    if (amount <= 0 || (!isWhole && other.hasCardOf.has(originId))) continue
    steps.push({ originId, unit, memberId: other.memberId, amount, code: 'debtLeft' })
    steps.push({ originId, unit, memberId, amount: -amount, code: isWhole ? 'debtCarried' : 'cardDebtCarried' })
    owed.set(unit, (owed.get(unit) ?? 0) - amount)
    missing -= amount
  }
  return steps
}

/**
 * Returns what an open account takes over. The same person carries a debt whole. A linked card brings at most what was
 * taken back from its own meals, also when another open account owes it, unless a card of the debt is linked there.
 * What is to be given back goes to those who carried it, else to the person. An account that has money again settles its
 * own debt before others do.
 */
export function planOpenAccount({ memberId, balances, debts, others }: Account): DebtStep[] {
  const steps: DebtStep[] = []
  const owed = owedByOthers(others)
  for (const debt of debts) {
    const { originId, unit } = debt
    const step = (amount: number, code: StepCode) => {
      if (amount !== 0) steps.push({ originId, unit, memberId, amount, code })
    }
    if (originId === memberId) {
      const settled = Math.min(balances.get(unit) ?? 0, debt.open + carriedInAll(debt))
      step(-Math.max(0, settled), 'debtSettled')
    } else if (debt.open < 0) step(Math.min(-debt.open, mayTakeBack(debt, memberId, others)), 'debtReturned')
    else steps.push(...takeOver(memberId, debt, owed, { upTo: Number.POSITIVE_INFINITY, isClosed: false }))
  }
  return steps
}

function mayTakeBack(debt: RelatedDebt, memberId: number, others: readonly OtherAccount[]): number {
  const carried = debt.carried.get(memberId) ?? 0
  if (carried > 0) return carried
  const isCarried = others.some((other) => (debt.carried.get(other.memberId) ?? 0) > 0)
  return debt.isProvedPerson && !isCarried ? -debt.open : 0
}
