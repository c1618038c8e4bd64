import {
  type BuiltInRole,
  builtInRoles,
  type Permission,
  permissions,
  roleNames,
} from '../../console-kit/permissions.ts'
import { acquireAdvisoryLock, type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { InstallationCtx } from '../../platform/http/operator.ts'
import { grantsLock } from '../operators/service.ts'
import { mayGrant } from './may-grant.ts'
import * as store from './store.ts'

/** Returns what each role permits, by its name. */
export async function permissionsByRole(db: Db | Tx): Promise<Map<string, readonly string[]>> {
  const own = await store.listOwnRoles(db)
  return new Map<string, readonly string[]>([
    ...own.map(({ name, permissions }) => [name, permissions] as const),
    ...Object.entries(builtInRoles),
  ])
}

/** Returns all roles: those of the product first. */
export async function listRoles({ db }: Pick<InstallationCtx, 'db'>) {
  const [own, counts] = await Promise.all([store.listOwnRoles(db), store.countByRole(db)])
  const builtIn = Object.entries(builtInRoles).map(([name, given]) => ({
    name,
    label: roleNames[name as BuiltInRole],
    isBuiltIn: true,
    permissions: [...given] as string[],
  }))
  const others = own.map((role) => ({ ...role, label: role.name, isBuiltIn: false }))
  return {
    roles: [...builtIn, ...others].map((role) => ({ ...role, operators: counts.get(role.name) ?? 0 })),
    permissions: Object.entries(permissions).map(([name, label]) => ({ name, label })),
  }
}

const isKnown = (permission: string): permission is Permission => Object.hasOwn(permissions, permission)

/**
 * Adds a role, or changes what it permits, for everybody who has it: the caller has, in all programs, what it permits
 * before and after. Throws `builtInRole`, `notGrantable` and `conflict`.
 */
export async function saveRole(
  ctx: InstallationCtx,
  name: string,
  { permissions: given, expected }: { permissions: string[]; expected: string[] | null },
) {
  await change(ctx, name, async (tx, before) => {
    if (before?.toSorted().join() !== expected?.toSorted().join()) throw new ApiError('conflict')
    const after = [...new Set(given)].toSorted()
    if (!after.every(isKnown)) throw new ApiError('notGrantable')
    await store.upsertRole(tx, { name, permissions: after })
    return after
  })
  return listRoles(ctx)
}

/** Removes a role that no operator has. Throws `builtInRole`, `notFound`, `notGrantable` and `roleInUse`. */
export async function deleteRole(ctx: InstallationCtx, name: string) {
  await change(ctx, name, async (tx, before) => {
    if (!before) throw new ApiError('notFound')
    if (((await store.countByRole(tx)).get(name) ?? 0) > 0) throw new ApiError('roleInUse')
    await store.deleteRole(tx, name)
    return []
  })
  return listRoles(ctx)
}

async function change(
  ctx: InstallationCtx,
  name: string,
  work: (tx: Tx, before: string[] | undefined) => Promise<string[]>,
): Promise<void> {
  if (Object.hasOwn(builtInRoles, name)) throw new ApiError('builtInRole')
  await inTransaction(ctx.db, async (tx) => {
    await acquireAdvisoryLock(tx, grantsLock)
    const before = (await store.listOwnRoles(tx)).find((role) => role.name === name)?.permissions
    const after = await work(tx, before)
    const touched = { role: name, partnerId: null, permissions: [...(before ?? []), ...after] }
    if (!mayGrant(ctx.operator, touched)) throw new ApiError('notGrantable')
    await ctx.record(tx, {
      object: { type: 'role', id: name },
      before: { permissions: before ?? [] },
      after: { permissions: after },
    })
  })
}
