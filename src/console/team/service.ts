import { roleName } from '../../console-kit/permissions.ts'
import { hashPassword } from '../../identity/session/service.ts'
import { acquireAdvisoryLock, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { InstallationCtx, Operator } from '../../platform/http/operator.ts'
import { enrollCodeHash, newEnrollCode, newPassword } from '../operators/enroll-code.ts'
import { listPasskeys } from '../operators/passkeys.ts'
import { grantsLock } from '../operators/service.ts'
import * as operators from '../operators/store.ts'
import { deletePasskeysOf, listOperators, revokeAllSessions, setDisabled, setEnrollCode } from '../operators/store.ts'
import type { GrantOf, TeamOperator, TeamOperatorDetail } from './contract.ts'
import { changedGrants, type Granted, isAdministrator, isSameGrant, mayGrant } from './may-grant.ts'
import { permissionsByRole } from './roles.ts'
import * as store from './store.ts'

type Listed = Operator & { disabled: boolean }

const toGrant = ({ role, partnerId }: Pick<Granted, 'role' | 'partnerId'>): GrantOf => ({ role, program: partnerId })

/** Returns the part of an operator that the caller may see; null when there is none. */
function visible(ctx: InstallationCtx, operator: Listed): Listed | null {
  if (ctx.mayEverywhere('operators.read')) return operator
  const programs = ctx.programsWith('operators.read')
  const grants = operator.grants.filter(({ partnerId }) => partnerId !== null && programs.includes(partnerId))
  return grants.length > 0 ? { ...operator, grants } : null
}

/** Returns the operators whom the caller may see, by address. */
export async function listTeam(ctx: InstallationCtx): Promise<{ operators: TeamOperator[] }> {
  const [all, use] = await Promise.all([listOperators(ctx.db), store.listUse(ctx.db)])
  const shown = all.flatMap((each) => visible(ctx, each) ?? [])
  return { operators: shown.map((each) => toTeamOperator(ctx, each, use)) }
}

function toTeamOperator(ctx: InstallationCtx, operator: Listed, use: readonly store.OperatorUse[]): TeamOperator {
  const { id, email, name, disabled, grants } = operator
  const { usedAt = null, passkeys = 0 } = use.find((each) => each.id === id) ?? {}
  return {
    id,
    email,
    name,
    isDisabled: disabled,
    isMe: id === ctx.operator.id,
    grants: grants.map(toGrant),
    usedAt: usedAt?.toISOString() ?? null,
    passkeys,
  }
}

/** Returns an operator. Throws `notFound`, also for one of other programs. */
export async function getTeamOperator(ctx: InstallationCtx, id: number): Promise<TeamOperatorDetail> {
  const operator = (await listOperators(ctx.db)).find((each) => each.id === id)
  const shown = operator && visible(ctx, operator)
  if (!operator || !shown) throw new ApiError('notFound')
  const [use, sessions, passkeys] = await Promise.all([
    store.listUse(ctx.db),
    store.listSessions(ctx.db, id),
    listPasskeys(ctx.db, id),
  ])
  return {
    ...toTeamOperator(ctx, shown, use),
    mayChange: id !== ctx.operator.id && operator.grants.every((grant) => mayGrant(ctx.operator, grant)),
    sessions: sessions.map(({ startedAt, usedAt, passkeyVerified }) => ({
      startedAt: startedAt.toISOString(),
      usedAt: usedAt.toISOString(),
      passkeyVerified,
    })),
    passkeyNames: passkeys.map(({ name, createdAt }) => ({ name, createdAt: createdAt.toISOString() })),
  }
}

/** Adds what each grant permits. Throws `notGrantable` for a role or program that does not exist. */
async function withPermissions(ctx: InstallationCtx, tx: Tx, grants: readonly GrantOf[]): Promise<Granted[]> {
  const permissions = await permissionsByRole(tx)
  const granted = grants.map(({ role, program }) => {
    const given = permissions.get(role)
    const isProgram = program === null || ctx.programsWith('operators.manage').includes(program)
    if (!given || !isProgram) throw new ApiError('notGrantable')
    return { role, partnerId: program, permissions: given }
  })
  return granted.filter((grant, at) => granted.findIndex((other) => isSameGrant(other, grant)) === at)
}

/**
 * Runs a change of operators. Changes take turns, and the caller's own grants are those of this moment: two
 * administrators who take each other's access cannot both succeed. Throws `lastAdministrator` when none would be left.
 */
async function inTurn<T>(
  ctx: InstallationCtx,
  change: (tx: Tx, me: Operator, all: Listed[]) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    await acquireAdvisoryLock(tx, grantsLock)
    const all = await listOperators(tx)
    const me = all.find(({ id, disabled }) => id === ctx.operator.id && !disabled)
    if (!me) throw new ApiError('notGrantable')
    const result = await change(tx, me, all)
    if (countAdministrators(all) > 0 && countAdministrators(await listOperators(tx)) === 0)
      throw new ApiError('lastAdministrator')
    return result
  })
}

const countAdministrators = (all: readonly Listed[]) =>
  all.filter((each) => !each.disabled && isAdministrator(each)).length

/** Finds an operator whom `me` may change as a whole. Throws `notFound`, `self` and `notGrantable`. */
function findChangeable(ctx: InstallationCtx, { me, all, id }: { me: Operator; all: Listed[]; id: number }): Listed {
  const operator = all.find((each) => each.id === id)
  if (!operator || !visible(ctx, operator)) throw new ApiError('notFound')
  if (id === me.id) throw new ApiError('self')
  return operator
}

function assertMayChange(me: Operator, grants: readonly Granted[]): void {
  if (!grants.every((grant) => mayGrant(me, grant))) throw new ApiError('notGrantable')
}

const objectOf = ({ id, name }: Pick<Operator, 'id' | 'name'>) => ({ type: 'operator', id: String(id), label: name })
const grantsText = (grants: readonly Pick<Granted, 'role' | 'partnerId'>[]) =>
  grants.map(({ role, partnerId }) => `${roleName(role)} (${partnerId ?? 'all programs'})`)

interface Invitation {
  email: string
  name: string
  grants: GrantOf[]
}

/** Adds an operator. Returns the first password and the code for a passkey, of which only hashes are stored. */
export async function inviteOperator(ctx: InstallationCtx, { email, name, grants }: Invitation) {
  const [password, code] = [newPassword(), newEnrollCode()]
  const passwordHash = await hashPassword(password)
  const id = await inTurn(ctx, async (tx, me) => {
    const granted = await withPermissions(ctx, tx, grants)
    assertMayChange(me, granted)
    const added = await operators.insertOperator(tx, { email, name, passwordHash })
    if (added === undefined) throw new ApiError('operatorExists')
    await operators.setGrants(tx, added, granted)
    await setEnrollCode(tx, email, enrollCodeHash(code))
    await ctx.record(tx, { object: objectOf({ id: added, name }), after: { email, grants: grantsText(granted) } })
    return added
  })
  return { operator: await getTeamOperator(ctx, id), secrets: { password, code } }
}

export interface NewGrants {
  grants: GrantOf[]
  /** What the caller saw. */
  expected: GrantOf[]
  reason: string
}

/**
 * Replaces what an operator may do, as far as the caller sees it. Throws `conflict` when it has changed since, and
 * `notGrantable` when something given or taken is more than the caller may do.
 */
export async function setOperatorGrants(ctx: InstallationCtx, id: number, { grants, expected, reason }: NewGrants) {
  await inTurn(ctx, async (tx, me, all) => {
    const operator = findChangeable(ctx, { me, all, id })
    const seen = visible(ctx, operator)?.grants ?? []
    const isExpected = seen.length === expected.length && seen.every((grant) => includes(expected, grant))
    if (!isExpected) throw new ApiError('conflict')
    const hidden = operator.grants.filter((grant) => !seen.includes(grant))
    const after = [...hidden, ...(await withPermissions(ctx, tx, grants))]
    assertMayChange(me, changedGrants(operator.grants, after))
    await operators.setGrants(tx, id, after)
    await ctx.record(tx, {
      object: objectOf(operator),
      before: { grants: grantsText(operator.grants) },
      after: { grants: grantsText(after) },
      reason,
    })
  })
  return getTeamOperator(ctx, id)
}

const includes = (list: readonly GrantOf[], { role, partnerId }: Granted) =>
  list.some((each) => each.role === role && each.program === partnerId)

/** Disables or enables an operator. */
export async function setOperatorDisabled(
  ctx: InstallationCtx,
  id: number,
  { isDisabled, reason }: { isDisabled: boolean; reason: string },
) {
  await changeAccount(ctx, { id, reason, after: { isDisabled } }, async (tx, { email, disabled }) => {
    if (disabled === isDisabled) throw new ApiError('conflict')
    await setDisabled(tx, email, isDisabled)
    if (!isDisabled) return
    await deletePasskeysOf(tx, id)
    await revokeAllSessions(tx, id)
  })
  return getTeamOperator(ctx, id)
}

/** Ends every session of an operator. */
export async function endOperatorSessions(ctx: InstallationCtx, id: number, { reason }: { reason: string }) {
  await changeAccount(ctx, { id, reason, after: { sessions: 'ended' } }, (tx) => revokeAllSessions(tx, id))
  return getTeamOperator(ctx, id)
}

/** Removes the passkeys of an operator and ends every session. Returns a code for a new passkey. */
export async function renewEnrollCode(ctx: InstallationCtx, id: number, { reason }: { reason: string }) {
  const code = newEnrollCode()
  await changeAccount(ctx, { id, reason, after: { passkeys: 'removed' } }, async (tx, { email }) => {
    if ((await setEnrollCode(tx, email, enrollCodeHash(code))) === undefined) throw new ApiError('conflict')
    await deletePasskeysOf(tx, id)
    await revokeAllSessions(tx, id)
  })
  return { operator: await getTeamOperator(ctx, id), secrets: { password: null, code } }
}

/** Replaces the password of an operator and ends every session; the passkeys stay. Returns the new password. */
export async function renewPassword(ctx: InstallationCtx, id: number, { reason }: { reason: string }) {
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  await changeAccount(ctx, { id, reason, after: { password: 'replaced' } }, async (tx, { email, disabled }) => {
    if (disabled) throw new ApiError('conflict')
    await operators.setPassword(tx, email, passwordHash)
    await revokeAllSessions(tx, id)
  })
  return { operator: await getTeamOperator(ctx, id), secrets: { password, code: null } }
}

interface AccountChange {
  id: number
  reason: string
  after: Record<string, unknown>
}

async function changeAccount(
  ctx: InstallationCtx,
  { id, reason, after }: AccountChange,
  change: (tx: Tx, operator: Listed) => Promise<void>,
): Promise<void> {
  await inTurn(ctx, async (tx, me, all) => {
    const operator = findChangeable(ctx, { me, all, id })
    // The account is one for all programs: who changes it may do all that it may.
    assertMayChange(me, operator.grants)
    if (operator.grants.length === 0) assertMayChange(me, [{ role: '', partnerId: null, permissions: [] }])
    await change(tx, operator)
    await ctx.record(tx, { object: objectOf(operator), after, reason })
  })
}
