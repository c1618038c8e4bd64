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

/**
 * Returns what a deleted account posts. A balance below zero leaves it: first what it carried returns to the debts that
 * it came from, then the rest becomes its own debt. A balance above zero, after a corrected refund, settles its own debt.
 */
export function planClosedAccount(
  memberId: number,
  balances: ReadonlyMap<RewardUnit, number>,
  debts: readonly Debt[],
): DebtStep[] {
  const steps: DebtStep[] = []
  for (const [unit, balance] of balances) {
    const own = debts.find((debt) => debt.originId === memberId && debt.unit === unit)
    const step = (originId: number, amount: number, code: StepCode) => {
      if (amount !== 0) steps.push({ originId, unit, memberId, amount, code })
    }
    if (balance > 0 && own) step(memberId, -Math.max(0, Math.min(balance, own.open + carriedInAll(own))), 'debtSettled')
    let owed = Math.max(0, -balance)
    for (const debt of debts) {
      if (debt.unit !== unit || debt.originId === memberId) continue
      const returned = Math.min(owed, Math.max(0, debt.carried.get(memberId) ?? 0))
      step(debt.originId, returned, 'debtLeft')
      owed -= returned
    }
    step(memberId, owed, 'debtLeft')
  }
  return steps
}

interface OpenAccount {
  memberId: number
  balances: ReadonlyMap<RewardUnit, number>
  debts: readonly RelatedDebt[]
  others: readonly OtherAccount[]
}

/**
 * Returns what an open account takes over. The same person carries a debt whole. A linked card brings at most what was
 * taken back from its own meals, also when another open account owes it, unless a card of the debt is linked there.
 * What is to be given back goes to those who carried it, else to the person. An account that has money again settles its
 * own debt before others do.
 */
export function planOpenAccount({ memberId, balances, debts, others }: OpenAccount): DebtStep[] {
  const steps: DebtStep[] = []
  const owedBy = new Map(
    others.map((other) => [other, new Map([...other.balances].map(([unit, balance]) => [unit, -balance]))]),
  )
  for (const debt of debts) {
    const { originId, unit } = debt
    const step = (amount: number, code: StepCode, of = memberId) => {
      if (amount !== 0) steps.push({ originId, unit, memberId: of, amount, code })
    }
    if (originId === memberId) {
      const settled = Math.min(balances.get(unit) ?? 0, debt.open + carriedInAll(debt))
      step(-Math.max(0, settled), 'debtSettled')
      continue
    }
    const carried = debt.carried.get(memberId) ?? 0
    if (debt.open < 0) {
      step(Math.min(-debt.open, mayTakeBack(debt, memberId, others)), 'debtReturned')
      continue
    }
    let missing = Math.max(0, debt.cardPart - carried)
    const taken = debt.isOwnPerson ? debt.open : Math.min(debt.open, missing)
    step(-taken, debt.isOwnPerson ? 'debtCarried' : 'cardDebtCarried')
    missing -= taken
    for (const [other, owed] of owedBy) {
      const limit = other.memberId === originId ? missing : Math.min(missing, debt.carried.get(other.memberId) ?? 0)
      const amount = Math.min(limit, owed.get(unit) ?? 0)
      if (amount <= 0 || other.hasCardOf.has(originId)) continue
      step(amount, 'debtLeft', other.memberId)
      step(-amount, 'cardDebtCarried')
      owed.set(unit, (owed.get(unit) ?? 0) - amount)
      missing -= amount
    }
  }
  return steps
}

function mayTakeBack(debt: RelatedDebt, memberId: number, others: readonly OtherAccount[]): number {
  const carried = debt.carried.get(memberId) ?? 0
  if (carried > 0) return carried
  const isCarried = others.some((other) => (debt.carried.get(other.memberId) ?? 0) > 0)
  return debt.isOwnPerson && !isCarried ? -debt.open : 0
}
