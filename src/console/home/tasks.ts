import type { Home } from './contract.ts'

type TaskKind = Home['tasks'][number]['kind']

interface TaskWords {
  one: string
  many: string
  isUrgent?: true
  /** Those of this task are counted by another one, too. */
  isPartOf?: TaskKind
  /** The page with exactly these, after the program's code. */
  path: string
}

/** What each task says, and where its list is. */
export const tasks: Readonly<Record<TaskKind, TaskWords>> = {
  lateClaims: {
    one: 'claim is late',
    many: 'claims are late',
    path: 'claims?state=late',
    isUrgent: true,
    isPartOf: 'claims',
  },
  lateUnmatched: {
    one: 'unmatched transaction is late',
    many: 'unmatched transactions are late',
    path: 'unmatched?state=late',
    isUrgent: true,
    isPartOf: 'unmatched',
  },
  claims: { one: 'open claim', many: 'open claims', path: 'claims' },
  approvals: { one: 'request of a colleague', many: 'requests of colleagues', path: 'approvals?asker=others' },
  unmatched: { one: 'unmatched transaction', many: 'unmatched transactions', path: 'unmatched' },
  payouts: {
    one: 'statement credit needs a decision',
    many: 'statement credits need a decision',
    path: 'payouts?state=attention',
    isUrgent: true,
  },
  deadLetters: {
    one: 'job has failed for good',
    many: 'jobs have failed for good',
    path: 'jobs?state=failed',
    isUrgent: true,
  },
  emails: {
    one: 'email was not delivered',
    many: 'emails were not delivered',
    path: 'emails?status=failed',
  },
  invoices: { one: 'invoice is overdue', many: 'invoices are overdue', path: 'invoices?state=overdue' },
  files: { one: 'feed file is not finished', many: 'feed files are not finished', path: 'feed-files?state=stuck' },
}
