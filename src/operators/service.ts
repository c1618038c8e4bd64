import { createHmac } from 'node:crypto'
import type { Db } from '../kit/server/db.ts'
import { secretToken, tokenHash } from '../kit/server/ids.ts'
import { hashPassword, verifyPassword } from '../session/service.ts'
import type { ConsoleSession, Operator } from './context.ts'
import * as store from './store.ts'

export { askForPasskey, type Desk, type DeskPlace, placeAt, sendConsolePage } from './desk.ts'
export { mayEdit, maySettle, mayWorkOn } from './may.ts'
export type { Operator }
export const sweepConsole = store.sweepConsole

/** An eleventh wrong password within half an hour is not looked at any more. */
export const mostFailures = 10

/**
 * Opens a session for an email address and password; null when they do not belong together, or the address is locked:
 * the same answer and the same work, whether or not anybody has it. Answers the cookie's value.
 */
export async function signInOperator(
  db: Db,
  { email, password, lockKey }: { email: string; password: string; lockKey: Buffer },
): Promise<string | null> {
  const name = email.trim().toLowerCase()
  const nameHash = createHmac('sha256', lockKey).update(`console:${name}`).digest()
  const locked = await store.isLocked(db, nameHash)
  const operator = locked ? undefined : await store.findOperator(db, name)
  const right = await verifyPassword(password, operator?.passwordHash)
  if (!operator || !right) {
    if (!locked) await store.countFailure(db, nameHash, mostFailures)
    return null
  }
  await store.forgetFailures(db, nameHash)
  const id = secretToken()
  await store.insertSession(db, { idHash: tokenHash(id), operatorId: operator.id, csrfToken: secretToken() })
  return id
}

/** The session behind a cookie value; null when there is none any more. */
export async function continueConsoleSession(db: Db, id: string): Promise<ConsoleSession | null> {
  if (id.length !== 43) return null
  const idHash = tokenHash(id)
  const session = await store.touchSession(db, idHash)
  return session ? { ...session, idHash } : null
}

export const endConsoleSession = store.deleteSession

/** Adds an operator; false when the address has one already. */
export async function addOperator(
  db: Db,
  { password, ...operator }: Omit<Operator, 'id'> & { password: string },
): Promise<boolean> {
  return store.insertOperator(db, { ...operator, passwordHash: await hashPassword(password) })
}

/** Somebody to try the console with, where there is nothing to lose. The password is no secret: the gallery shows it. */
export const sampleOperator = {
  email: 'editor@dineback.example',
  name: 'Marta Ellison',
  password: 'lighthouse 9 sardines',
  role: 'admin',
  partners: null,
} as const
