import type { PermissionName } from '../platform/call.ts'
import type { Operator } from '../platform/http/operator.ts'

/** Everything that an operator may be permitted to do, by noun and verb, with the words that the console shows. */
export const permissions = {
  'members.read': 'See members, their cards, dines and messages',
  'members.edit': 'Correct names, addresses and tiers of members',
  'members.impersonate': 'See the app as a member does, and act for members',
  'members.close': 'Close, reopen and merge accounts',
  'members.export': 'Export members and their data',
  'notes.write': 'Write notes and tags about members',
  'ledger.read': 'See the journal',
  'ledger.adjust': 'Credit and debit members',
  'transactions.read': 'See transactions and unmatched ones',
  'transactions.attach': 'Attach, ignore and recalculate transactions',
  'claims.read': 'See claims and their receipts',
  'claims.decide': 'Decide claims, and so give rewards',
  'reservations.read': 'See reservations',
  'reservations.edit': 'Confirm and cancel reservations, and mark no-shows',
  'restaurants.read': 'See restaurants and their offers',
  'restaurants.edit': 'Change restaurants and their offers',
  'settlement.read': 'See what restaurants and partners owe',
  'settlement.edit': 'Record payments of invoices, send statements, and close months',
  'payouts.read': 'See statement credits',
  'payouts.decide': 'Decide statement credits whose outcome is unknown',
  'content.edit': 'Edit content and preview it',
  'content.publish': 'Publish and withdraw content',
  'program.edit': 'Change settings, flags and maintenance of a program',
  'reports.read': 'See reports',
  'jobs.read': 'See jobs, emails and the health of outside systems',
  'jobs.manage': 'Retry and discard jobs and emails',
  'feed.read': 'See messages and files of the card feed',
  'feed.upload': 'Upload and replay files of the card feed',
  'approvals.decide': 'Approve what others asked for',
  'operators.read': 'See operators and roles',
  'operators.manage': 'Invite operators, grant roles, and end access',
  'audit.read': 'Read the audit log',
} as const satisfies Record<PermissionName, string>

export type Permission = keyof typeof permissions

const all = Object.keys(permissions) as Permission[]

/** The permissions of each role that the product brings. */
export const builtInRoles = {
  editor: ['content.edit', 'content.publish', 'restaurants.read', 'restaurants.edit', 'reports.read'],
  support: [
    'members.read',
    'members.edit',
    'members.impersonate',
    'notes.write',
    'transactions.read',
    'transactions.attach',
    'claims.read',
    'claims.decide',
    'reservations.read',
    'reservations.edit',
    'restaurants.read',
    'ledger.read',
    'jobs.read',
    'feed.read',
  ],
  admin: all,
} as const satisfies Record<Operator['role'], readonly Permission[]>

/** Returns the permissions of an operator in a program; empty where the operator may not work. */
export function permissionsOf(operator: Operator, partnerId: string): readonly Permission[] {
  return mayAccessProgram(operator, partnerId) ? builtInRoles[operator.role] : []
}

/** Returns whether an operator has a permission in a program. */
export function may(operator: Operator, permission: PermissionName, partnerId: string): boolean {
  return (permissionsOf(operator, partnerId) as readonly string[]).includes(permission)
}

/** Returns whether an operator has a permission in every program, also in later ones, and so in the installation. */
export const mayEverywhere = (operator: Operator, permission: PermissionName): boolean =>
  operator.partners === null && (builtInRoles[operator.role] as readonly string[]).includes(permission)

/** Returns whether an operator may edit content. */
export const mayEdit = ({ role }: Operator) => role !== 'support'

/** Returns whether an operator may see settlements. */
export const mayViewSettlements = ({ role }: Operator) => role === 'admin'

/** Returns whether an operator may work on a program. */
export function mayAccessProgram({ partners }: Operator, partnerId: string): boolean {
  return partners === null || partners.includes(partnerId)
}
