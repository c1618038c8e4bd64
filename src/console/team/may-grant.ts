import type { PermissionName } from '../../platform/call.ts'
import { hasPermission, type Operator } from '../../platform/http/operator.ts'

/** A role somewhere, with what it permits. */
export interface Granted {
  role: string
  partnerId: string | null
  permissions: readonly string[]
}

/** Returns whether an operator may give or take a grant: it may manage operators there, and has all that it permits. */
export function mayGrant(operator: Operator, { partnerId, permissions }: Granted): boolean {
  return ['operators.manage', ...permissions].every((permission) =>
    hasPermission(operator, permission as PermissionName, partnerId),
  )
}

export const isSameGrant = (a: Pick<Granted, 'role' | 'partnerId'>, b: Pick<Granted, 'role' | 'partnerId'>) =>
  a.role === b.role && a.partnerId === b.partnerId

/** Returns the grants that are in only one of two lists: those that are given, and those that are taken. */
export function changedGrants(before: readonly Granted[], after: readonly Granted[]): Granted[] {
  const missingIn = (list: readonly Granted[]) => (grant: Granted) => !list.some((other) => isSameGrant(other, grant))
  return [...before.filter(missingIn(after)), ...after.filter(missingIn(before))]
}

/** Returns whether an operator is an administrator of the installation. */
export const isAdministrator = ({ grants }: Pick<Operator, 'grants'>) =>
  grants.some(({ role, partnerId }) => role === 'administrator' && partnerId === null)
