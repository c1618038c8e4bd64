import type { Attention } from '../rules.ts'
import type { CreditDetail, ListedCredit } from './contract.ts'

/** States of a credit in the words of operators. */
export const stateNames: Readonly<Record<ListedCredit['state'], { label: string; color: string }>> = {
  open: { label: 'On its way', color: 'blue' },
  checking: { label: 'No answer yet', color: 'orange' },
  paid: { label: 'Paid', color: 'green' },
  returned: { label: 'Returned', color: 'gray' },
}

/** Why an operator must look at a credit. */
export const attentionNames: Readonly<Record<Attention, string>> = {
  unanswered: 'The processor has not answered for days',
  unknownThere: 'The processor forgets it again and again',
  unfinished: 'The processor has not paid it for a week',
  openAfterReturn: 'It was returned to the balance, but the processor still has it',
  paidAfterReturn: 'It was returned to the balance, then paid: the balance was lowered again',
  rejectedAfterPaid: 'It was declared paid, but the processor says that it was rejected',
  leftInClosedAccount: 'It was returned to the balance of a deleted account: nothing orders it again by itself',
}

type Decision = CreditDetail['decisions'][number]

/** What can be decided: the button, the title of its dialog, and what follows. */
export const decisionWords: Readonly<
  Record<Decision, { action: string; title: string; confirm?: string; done: string; text: string; isDangerous?: true }>
> = {
  return: {
    action: 'Cancel it',
    title: 'Cancel this credit',
    confirm: 'Cancel the credit',
    done: 'Canceled. The amount is in the balance again.',
    text: 'Only if the processor has certainly not paid it, and never will. The processor is asked once a day for a month; if it has paid after all, the amount leaves the balance again.',
    isDangerous: true,
  },
  paid: {
    action: 'It was paid',
    title: 'This credit was paid',
    done: 'It counts as paid.',
    text: 'Only if the processor has confirmed it. The processor is asked once a day for a month, in case it was rejected after all.',
  },
  order: {
    action: 'Order it to another target',
    title: 'Order what is left to another target',
    done: 'Ordered again.',
    text: 'The account is deleted, and its target did not take the amount. A new credit goes to the payout provider of the program, or without one to the same target as before.',
  },
  acknowledge: {
    action: 'Nothing more is to be done',
    title: 'Nothing more is to be done',
    done: 'It needs no decision any more.',
    text: 'No money moves. The credit leaves the list of those that need a decision.',
  },
}

/** What happened to a credit, by the kind of its event or decision. */
const eventNames: Readonly<Record<string, string>> = {
  accepted: 'The processor accepted it',
  resubmitted: 'The processor did not know it, and received it again under the same id',
  completed: 'The processor paid it',
  rejected: 'The processor rejected it',
  acceptedAfterReturn: 'The processor still has it, although it was returned to the balance',
  paidAfterReturn: 'The processor paid it after its return: the balance was lowered again',
  rejectedAfterPaid: 'The processor says that it was rejected, although it counts as paid',
  ask: 'Asked the processor',
  return: 'Canceled: returned to the balance',
  paid: 'Declared paid',
  order: 'Ordered what was left again',
  acknowledge: 'Decided that nothing more is to be done',
}

const outcomeNames = { done: '', waiting: ' (not carried out yet)', impossible: ' (no longer possible then)' } as const

/** Returns what an event says. */
export const eventName = ({ kind, outcome }: CreditDetail['events'][number]): string =>
  `${eventNames[kind] ?? kind}${outcomeNames[outcome]}`

/** Whether an event is an answer of the processor. */
export const isAnswer = ({ by }: CreditDetail['events'][number]): boolean => by === null

const entryNames: Readonly<Record<string, string>> = {
  'statement-credit': 'Left the balance',
  'returned-credit': 'Returned to the balance',
}

/** Returns what a journal entry of a credit did. */
export const entryName = (kind: string): string => entryNames[kind] ?? kind
