import { spellOut } from './spell-out.ts'

/** What operators read for each act: a call that changes something, or a read that is recorded. By the id of the call. */
export const actNames: Readonly<Record<string, string>> = {
  addMemberNote: 'Wrote a note about a member',
  addPayment: 'Recorded a payment of a restaurant',
  adjustBalance: 'Credited or debited a member',
  askProcessor: 'Asked the card processor about a statement credit',
  attachTransaction: 'Attached an unmatched transaction',
  cancelReservationByOperator: 'Canceled a reservation',
  changeMemberEmail: 'Changed an email address',
  closeMember: 'Closed an account',
  closeMonth: 'Closed a month of settlement',
  confirmReservationByOperator: 'Asked the provider to confirm a reservation',
  correctMember: 'Corrected a name, address or phone number',
  decideApproval: 'Decided what a colleague asked for',
  decideClaim: 'Decided a claim',
  decideCredit: 'Decided a statement credit',
  deleteMemberNote: 'Removed a note about a member',
  deleteReplyTemplate: 'Removed a reply template',
  deleteRole: 'Removed a role',
  discardJobs: 'Discarded failed jobs',
  endMemberSession: 'Ended a session of a member',
  endOperatorSessions: 'Ended the sessions of an operator',
  endTier: 'Ended a tier that was given until a day',
  exportActs: 'Exported the audit log',
  exportAllActs: 'Exported the audit log of all programs',
  exportCredits: 'Exported a list of statement credits',
  exportFaults: 'Exported rejected lines of a feed file',
  exportInvoices: 'Exported a list of invoices',
  exportJournal: 'Exported the journal',
  exportMemberData: 'Exported the data of a member',
  exportMembers: 'Exported a list of members',
  exportOrigins: 'Exported where members come from',
  exportReport: 'Exported the figures of reports',
  exportRetention: 'Exported the retention of members',
  exportSettlement: 'Exported the settlement of a month',
  exportTransactions: 'Exported a list of transactions',
  getMember: 'Opened a member',
  getMemberEmail: 'Read an email to a member',
  getReservation: 'Opened a reservation',
  getSettlementFile: 'Downloaded the settlement file of a day',
  getStatementFile: 'Downloaded the statement of a restaurant',
  getTransaction: 'Opened a transaction',
  getUnmatched: 'Opened an unmatched transaction',
  giveTier: 'Gave a member a tier until a day',
  grantMemberBonus: 'Granted a bonus',
  ignoreTransaction: 'Set an unmatched transaction aside',
  importPayments: 'Imported payments of restaurants',
  inviteOperator: 'Invited an operator',
  mergeMember: 'Merged two accounts',
  markNoShow: 'Marked a no-show, or took the mark back',
  readEmailHtml: 'Read an email to a member as it looks',
  readEmailText: 'Read an email to a member',
  recalculateTransactions: 'Calculated awards again',
  removeMemberPasskey: 'Removed a passkey of a member',
  renewEnrollCode: 'Made a new passkey code for an operator',
  reopenMember: 'Opened a closed account again',
  renewPassword: 'Replaced the password of an operator',
  replayFile: 'Replayed a feed file',
  replaySpan: 'Replayed messages of a span of time',
  replayTransaction: 'Replayed the messages of a transaction',
  resendEmails: 'Sent failed emails again',
  resendMemberEmail: 'Sent an email again',
  restoreTransaction: 'Put an unmatched transaction back into the queue',
  retryJobs: 'Retried failed jobs',
  saveReplyTemplate: 'Stored a reply template',
  saveRole: 'Stored a role',
  setClaimOwner: 'Took a claim, or gave it back',
  setFlag: 'Switched a feature flag',
  setMaintenance: 'Switched maintenance',
  setOperatorDisabled: 'Disabled or enabled an operator',
  setOperatorGrants: 'Changed the roles of an operator',
  tagMember: 'Changed the tags of a member',
  undoPayment: 'Took a payment of a restaurant back',
  unlockMember: 'Unlocked the sign-in of a member',
  uploadFeedFile: 'Uploaded a feed file',
}

/** Returns the words for an act, also for one of an earlier version. What only asks a second person says so. */
export function actName(action: string, { isAsked = false }: { isAsked?: boolean } = {}): string {
  const name = actNames[action] ?? spellOut(action)
  return isAsked ? `Asked for approval: ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name
}

/** Returns the ids of the acts whose words contain a text; also the id itself. */
export function actionsNamed(text: string): string[] {
  const wanted = text.trim().toLowerCase()
  return Object.entries(actNames)
    .filter(([id, name]) => id.toLowerCase() === wanted || name.toLowerCase().includes(wanted))
    .map(([id]) => id)
}

interface ObjectWords {
  name: string
  /** Returns the address of its page: within the program, or of the installation when it begins with a slash. */
  pathOf?: (id: string) => string
}

const member: ObjectWords = { name: 'Member', pathOf: (id) => `members/${id}` }
const transaction: ObjectWords = { name: 'Transaction', pathOf: (id) => `transactions/${id}` }
const claim: ObjectWords = { name: 'Claim', pathOf: (id) => `claims/${id}` }
const reservation: ObjectWords = { name: 'Reservation', pathOf: (id) => `reservations/${id}` }
const approval: ObjectWords = { name: 'Request', pathOf: (id) => `approvals/${id}` }
const file: ObjectWords = { name: 'Feed file', pathOf: (id) => `feed-files/${id}` }
const operator: ObjectWords = { name: 'Operator', pathOf: (id) => `/team/${id}` }
const role: ObjectWords = { name: 'Role', pathOf: () => '/team/roles' }
const template: ObjectWords = { name: 'Reply template' }
const credit: ObjectWords = { name: 'Statement credit', pathOf: (id) => `payouts/${id}` }
const job: ObjectWords = { name: 'Job', pathOf: () => 'jobs' }
const email: ObjectWords = { name: 'Email', pathOf: (id) => (id === 'several' ? 'emails' : `emails/${id}`) }
const settlement: ObjectWords = { name: 'Settlement', pathOf: () => 'settlement' }
const flag: ObjectWords = { name: 'Feature flag', pathOf: () => 'flags' }
const report: ObjectWords = { name: 'Report', pathOf: () => 'reports' }
const invoice: ObjectWords = {
  name: 'Invoice',
  pathOf: (id) => (id === 'payments' ? 'invoices' : `invoices/${id}`),
}
const journal: ObjectWords = { name: 'Journal', pathOf: () => 'journal' }

/** What acts are done to, by the type in the log. Refused acts have the noun of the call's address. */
export const objectWords: Readonly<Record<string, ObjectWords>> = {
  member,
  members: member,
  transaction,
  transactions: transaction,
  unmatched: { name: 'Unmatched transaction', pathOf: (id) => `unmatched/${id}` },
  claim,
  claims: claim,
  'claim-templates': template,
  reservation,
  reservations: reservation,
  approval,
  approvals: approval,
  'feed-file': file,
  'feed-files': file,
  'feed-span': { name: 'Messages of the feed' },
  'feed-replays': { name: 'Messages of the feed' },
  recalculation: { name: 'Awards' },
  recalculations: { name: 'Awards' },
  operator,
  operators: operator,
  role,
  roles: role,
  'statement-credit': credit,
  credit,
  credits: credit,
  payouts: credit,
  job,
  jobs: job,
  retry: job,
  discard: job,
  email,
  emails: email,
  resend: email,
  settlement,
  days: settlement,
  months: settlement,
  'settlement-month': settlement,
  statements: { name: 'Settlement', pathOf: (id) => `settlement/${id}` },
  invoice,
  invoices: invoice,
  'invoice-payments': invoice,
  payments: invoice,
  journal,
  reports: report,
  figures: report,
  retention: report,
  origins: report,
  flag,
  flags: flag,
  maintenance: { name: 'Maintenance', pathOf: () => 'flags' },
  'audit-log': { name: 'Audit log' },
  acts: { name: 'Audit log' },
}

/** Returns the name of a type of objects. */
export const objectName = (type: string): string => objectWords[type]?.name ?? spellOut(type)

/** Returns the types whose names begin with a text. */
export function objectTypesNamed(text: string): string[] {
  const wanted = text.trim().toLowerCase()
  return Object.entries(objectWords)
    .filter(([type, { name }]) => type === wanted || name.toLowerCase().startsWith(wanted))
    .map(([type]) => type)
}

/** Returns the address of an object's page; null when it has none. */
export function objectAddress({ type, id }: { type: string; id: string }, program: string | null): string | null {
  const path = id === 'export' ? undefined : objectWords[type]?.pathOf?.(encodeURIComponent(id))
  // A call that was refused before it found its object has the program in its place.
  if (path === undefined || (id === program && path.endsWith(`/${id}`))) return null
  if (path.startsWith('/')) return path
  return program === null ? null : `/${program}/${path}`
}

const refusals: Readonly<Record<number, string>> = {
  400: 'Refused: wrong input',
  403: 'Refused: not permitted',
  404: 'Refused: did not exist',
  409: 'Refused: changed meanwhile',
}

/** Returns what has become of an act, by the status of its response. */
export function outcomeOf({ status, isAsked }: { status: number; isAsked: boolean }): { label: string; color: string } {
  if (status >= 500) return { label: 'Failed', color: 'red' }
  if (status >= 400) return { label: refusals[status] ?? 'Refused', color: 'orange' }
  return isAsked ? { label: 'Waits for approval', color: 'blue' } : { label: 'Done', color: 'green' }
}
