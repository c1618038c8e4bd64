/** Texts about what members owe after a refund of rewards that were already paid. */
export const debtsCopy = {
  'debts.title': 'Carried over',
  'debts.lead':
    'Rewards that were paid to you, for meals that were refunded later. Your next rewards pay this back before anything new is paid.',
  'debts.debtCarried': '{amount} carried over from your earlier account',
  'debts.cardDebtCarried': '{amount} carried over with a card you linked, from meals paid with it in another account',
  'debts.debtReturned': '{amount} back to your balance: a refund you carried over was corrected',
  'debts.debtLeft': '{amount} no longer owed here: it moved with a card that is now linked in another account',
  'debts.debtSettled': '{amount} paid back from your balance for a refunded meal of this account',
} as const
