import { createHmac } from 'node:crypto'
import { builtInRole } from '../../console-kit/permissions.ts'
import { hashPassword, verifyPassword } from '../../identity/session/service.ts'
import { acquireAdvisoryLock, type Db, inTransaction } from '../../platform/database/db.ts'
import type { Operator } from '../../platform/http/operator.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import type { IssuedPass } from '../../programs/content/preview.ts'
import type { ConsoleSession } from './context.ts'
import { enrollCodeHash } from './enroll-code.ts'
import * as store from './store.ts'

export { mayAccessProgram, mayEdit } from '../../console-kit/permissions.ts'
export {
  type AdminContext,
  type AdminDeps,
  type ConsoleUi,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from './admin-context.ts'
export { newEnrollCode, newPassword } from './enroll-code.ts'
export type { Operator }
export const purgeConsoleSessions = store.purgeConsoleSessions

/** Maximum password attempts per email address within half an hour; further ones are not checked. */
export const maxFailures = 10

/** Sessions and known browsers of an operator; a further sign-in ends the oldest one. */
export const maxSessions = 20
export const maxKnownDevices = 20

export interface ConsoleSignIn {
  email: string
  password: string
  lockKey: Buffer
  /** The client's address. */
  address?: string
  /** Secret of a browser in which an operator has signed in before. */
  device?: string | undefined
}

/**
 * Opens a session for an email address and password. Returns the values of the two cookies, or null when they do not
 * match or the address is locked; the result does not reveal whether an operator has the address. Attempts are counted
 * before they are made, so that concurrent attempts cannot exceed the limit. A browser in which the operator has signed
 * in before is counted separately, so that others cannot lock the operator out. Throws ApiError `busy` when too many
 * attempts are queued; that attempt is not counted.
 */
export async function signInOperator(
  db: Db,
  { email, password, lockKey, device, address }: ConsoleSignIn,
): Promise<{ id: string; device: string } | null> {
  const name = email.trim().toLowerCase()
  const operator = await store.findOperator(db, name)
  const deviceHash = tokenHash(device ?? '')
  const known = operator !== undefined && (await store.isKnownDevice(db, deviceHash, operator.id))
  const counted = known ? `console-device:${operator.id}:${deviceHash.toString('hex')}` : `console:${name}`
  const key = createHmac('sha256', lockKey).update(counted).digest()
  if (await store.isLocked(db, key)) return null
  if ((await store.countAttempt(db, key, maxFailures)) > maxFailures) return null
  const right = await verifyPassword(password, operator?.passwordHash, { address }).catch(async (error: unknown) => {
    await store.withdrawAttempt(db, key, maxFailures)
    throw error
  })
  if (!operator || !right) return null
  await store.resetFailures(db, key)
  const id = secretToken()
  const deviceSecret = known && device !== undefined ? device : secretToken()
  const isOpened = await inTransaction(db, async (tx) => {
    await store.lockOperator(tx, operator.id)
    // The password may have been replaced, or the operator disabled, since it was checked.
    if ((await store.findOperator(tx, name))?.passwordHash !== operator.passwordHash) return false
    const session = { idHash: tokenHash(id), operatorId: operator.id, csrfToken: secretToken() }
    await store.insertSession(tx, session, maxSessions)
    await store.upsertKnownDevice(tx, tokenHash(deviceSecret), operator.id, maxKnownDevices)
    return true
  })
  if (!isOpened) return null
  return { id, device: deviceSecret }
}

/** Returns the session of a cookie value, or null when it has ended. */
export async function continueConsoleSession(db: Db, id: string): Promise<ConsoleSession | null> {
  if (id.length !== 43) return null
  const idHash = tokenHash(id)
  const session = await store.touchSession(db, idHash)
  return session ? { ...session, idHash } : null
}

export const endConsoleSession = store.deleteSession

/** One role for some programs, or for all: what the command line and tests give an operator. */
export interface RoleInPrograms {
  /** Also by a former name: `editor`, `admin`. */
  role: string
  /** Null: every program. */
  partners: readonly string[] | null
}

/** Adds an operator; returns false when the address is taken. With `enrollCode`, a passkey can be added. */
export async function addOperator(
  db: Db,
  {
    password,
    enrollCode,
    email,
    name,
    ...given
  }: Pick<Operator, 'email' | 'name'> & RoleInPrograms & { password: string; enrollCode?: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const id = await store.insertOperator(tx, { email, name, passwordHash })
    if (id === undefined) return false
    await store.setGrants(tx, id, grantsOf(given))
    if (enrollCode) await store.setEnrollCode(tx, email, enrollCodeHash(enrollCode))
    return true
  })
}

function grantsOf({ role, partners }: RoleInPrograms): store.NewGrant[] {
  const known = builtInRole(role) ?? role
  return [...new Set(partners ?? [null])].map((partnerId) => ({ role: known, partnerId }))
}

/**
 * Sets a new code for an operator who lost the passkey: removes the passkeys and ends every session. Returns false when
 * no operator has the address.
 */
export async function resetSecondFactor(db: Db, email: string, enrollCode: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const id = await store.setEnrollCode(tx, email, enrollCodeHash(enrollCode))
    if (id === undefined) return false
    await store.deletePasskeysOf(tx, id)
    await store.revokeAllSessions(tx, id)
    return true
  })
}

/** Replaces a password and ends every session; the passkeys stay. Returns false when the operator does not exist. */
export async function resetPassword(db: Db, email: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const id = await store.setPassword(tx, email, passwordHash)
    if (id === undefined) return false
    await store.revokeAllSessions(tx, id)
    return true
  })
}

/**
 * Gives an operator one role instead of all that the operator has, effective with the next request. Returns false when
 * the operator does not exist.
 */
export const changeRole = (db: Db, { email, ...given }: Pick<Operator, 'email'> & RoleInPrograms): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await acquireAdvisoryLock(tx, grantsLock)
    const id = await store.findOperatorId(tx, email)
    if (id === undefined) return false
    await store.setGrants(tx, id, grantsOf(given))
    return true
  })

/** The lock under which grants change: whether an administrator is left is counted over all operators. */
export const grantsLock = 'console-grants'

export const listOperators = store.listOperators

/** Revokes every session, known browser and preview pass of an operator. */
export const signOutEverywhere = (db: Db, operatorId: number): Promise<void> =>
  inTransaction(db, (tx) => store.revokeAllSessions(tx, operatorId))

/**
 * Disables an operator: passwords, passkeys, sessions and preview passes stop working. Returns false when nothing
 * changed.
 */
export async function disableOperator(db: Db, email: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const id = await store.setDisabled(tx, email, true)
    if (id === undefined) return false
    await store.deletePasskeysOf(tx, id)
    await store.revokeAllSessions(tx, id)
    return true
  })
}

export const enableOperator = (db: Db, email: string): Promise<number | undefined> =>
  inTransaction(db, (tx) => store.setDisabled(tx, email, false))

/**
 * Returns whether the operator of a preview pass is still enabled, may edit the program, and has not signed out
 * everywhere since.
 */
export const isPreviewPassValid = (db: Db, pass: IssuedPass): Promise<boolean> => store.isPassValid(db, pass)

/** Sample operator for trying out the console. The password is public: the gallery shows it. */
export const sampleOperator = {
  email: 'admin@dineback.example',
  name: 'Marta Ellison',
  password: 'lighthouse 9 sardines',
  role: 'administrator',
  partners: null,
} as const
