import type { PermissionName } from '../platform/call.ts'
import { hasPermission, type Operator } from '../platform/http/operator.ts'

/** Everything that an operator may be permitted to do, by noun and verb, with the words that the console shows. */
export const permissions = {
  'members.read': 'See members, their cards, dines and messages',
  'members.edit': 'Correct names, addresses and tiers of members',
  'members.impersonate': 'See the app as a member does',
  'members.act': 'Act for members in the app',
  'members.close': 'Close, reopen and merge accounts',
  'members.export': 'Export members and their data',
  'notes.write': 'Write notes and tags about members',
  'ledger.read': 'See the journal of a member',
  'ledger.adjust': 'Credit and debit members, and calculate awards again',
  'transactions.read': 'See transactions and unmatched ones',
  'transactions.attach': 'Attach unmatched transactions, and set them aside',
  'claims.read': 'See claims and their receipts',
  'claims.decide': 'Decide claims, and so give rewards',
  'reservations.read': 'See reservations',
  'reservations.edit': 'Confirm and cancel reservations, and mark no-shows',
  'restaurants.read': 'See restaurants and their offers',
  'restaurants.edit': 'Change restaurants and their offers',
  'settlement.read': 'See what restaurants and partners owe, and the journal of the program',
  'settlement.edit': 'Record payments of invoices, send statements, and close months',
  'payouts.read': 'See statement credits',
  'payouts.decide': 'Decide statement credits whose outcome is unknown',
  'content.edit': 'Edit content and preview it',
  'content.publish': 'Publish and withdraw content',
  'flags.read': 'See feature flags and maintenance',
  'program.edit': 'Change settings, flags and maintenance of a program',
  'reports.read': 'See reports',
  'jobs.read': 'See jobs and the health of outside systems',
  'jobs.manage': 'Retry and discard jobs',
  'emails.read': 'See the emails to members, and read them',
  'emails.resend': 'Send failed emails again',
  'feed.read': 'See messages and files of the card feed',
  'feed.upload': 'Upload and replay files of the card feed',
  'approvals.decide': 'Approve what others asked for',
  'operators.read': 'See operators and roles',
  'operators.manage': 'Invite operators, grant roles, and end access',
  'audit.read': 'Read the audit log',
} as const satisfies Record<PermissionName, string>

export type Permission = keyof typeof permissions

const all = Object.keys(permissions) as Permission[]

const reading = all.filter((permission) => permission.endsWith('.read')) satisfies Permission[]

/** The permissions of each role that the product brings. */
export const builtInRoles = {
  viewer: reading.filter((permission) => !['operators.read', 'audit.read', 'feed.read'].includes(permission)),
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
    'flags.read',
    'emails.read',
    'emails.resend',
    'feed.read',
  ],
  marketer: ['content.edit', 'content.publish', 'restaurants.read', 'restaurants.edit', 'reports.read'],
  finance: [
    'ledger.read',
    'transactions.read',
    'restaurants.read',
    'settlement.read',
    'settlement.edit',
    'payouts.read',
    'payouts.decide',
    'approvals.decide',
    'reports.read',
    'feed.read',
  ],
  restaurant: ['restaurants.read', 'restaurants.edit', 'reservations.read', 'reservations.edit'],
  // Who may do what is for administrators.
  manager: all.filter((permission) => permission !== 'operators.manage'),
  administrator: all,
} as const satisfies Record<string, readonly Permission[]>

/** A role that the product brings. */
export type BuiltInRole = keyof typeof builtInRoles

/** What the console calls each role. */
export const roleNames: Readonly<Record<BuiltInRole, string>> = {
  viewer: 'Viewer',
  support: 'Support',
  marketer: 'Marketer',
  finance: 'Finance',
  restaurant: 'Restaurant',
  manager: 'Program manager',
  administrator: 'Administrator',
}

/** Returns what the console calls a role; one of the installation's own has its name. */
export const roleName = (role: string): string =>
  Object.hasOwn(roleNames, role) ? roleNames[role as BuiltInRole] : role

/** Names that roles had before. */
const formerRoles: Readonly<Record<string, BuiltInRole>> = { editor: 'marketer', admin: 'administrator' }

/** Returns the role of a name, also of a former one; undefined when the product has none of this name. */
export function builtInRole(name: string): BuiltInRole | undefined {
  const role = Object.hasOwn(formerRoles, name) ? formerRoles[name] : name
  return role !== undefined && Object.hasOwn(builtInRoles, role) ? (role as BuiltInRole) : undefined
}

/** Returns the permissions of an operator in a program; empty where the operator may not work. */
export function permissionsOf(operator: Operator, partnerId: string): readonly Permission[] {
  return all.filter((permission) => may(operator, permission, partnerId))
}

/** Returns whether an operator has a permission in a program. */
export const may = (operator: Operator, permission: PermissionName, partnerId: string): boolean =>
  hasPermission(operator, permission, partnerId)

/** Returns whether an operator has a permission in every program, also in later ones, and so in the installation. */
export const mayEverywhere = (operator: Operator, permission: PermissionName): boolean =>
  hasPermission(operator, permission, null)

/** Returns whether an operator may edit a program's content. */
export const mayEdit = (operator: Operator, partnerId: string) => may(operator, 'content.edit', partnerId)

/** Returns whether an operator may work on a program. */
export const mayAccessProgram = ({ grants }: Operator, partnerId: string): boolean =>
  grants.some((grant) => grant.partnerId === null || grant.partnerId === partnerId)
