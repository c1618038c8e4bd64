import { sql } from 'kysely'
import { expect } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { prepareImpersonation } from '../../src/identity/impersonation/service.ts'
import { insertSession } from '../../src/identity/session/store.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { secretToken, tokenHash } from '../../src/platform/security/ids.ts'
import { signPreviewPass } from '../../src/programs/content/preview.ts'
import { type TestApp, visit } from './app.ts'
import { addMember } from './rewards-harness.ts'

export const staffPassword = 'sourdough 4 breakfast'

/** Adds a support operator and an editor. Passes of a preview are valid for an existing editor. */
export async function addStaff({ database }: TestApp): Promise<void> {
  for (const [name, role] of [
    ['Quentin', 'support'],
    ['Eve', 'editor'],
  ] as const)
    await addOperator(database.consolePools.shared, {
      email: `${name.toLowerCase()}@dineback.example`,
      name,
      role,
      partners: null,
      password: staffPassword,
    })
}

/** Opens a session of a member or, with null, of a visitor. Returns its id. */
export async function openSessionOf(db: Db, memberId: number | null, { remembered = false } = {}): Promise<string> {
  const id = secretToken()
  const opening = { memberId, remembered, beganWith: 'visit', device: '', csrfToken: secretToken() } as const
  await insertSession(db, { ...opening, idHash: tokenHash(id), lengthMs: 600_000 })
  return id
}

/** Opens a remembered session whose id is two days old, so that it is due for renewal. */
export async function openDueSessionOf(db: Db, memberId: number): Promise<string> {
  const id = await openSessionOf(db, memberId, { remembered: true })
  await db
    .updateTable('sessions')
    .set({ renewed_at: sql<Date>`now() - interval '2 days'` })
    .where('id_hash', '=', tokenHash(id))
    .execute()
  return id
}

/** Adds a member of the name Zebulon, whose pages are told apart by it. */
export async function addZebulon(db: Db): Promise<number> {
  const memberId = await addMember(db)
  await db.updateTable('members').set({ first_name: 'Zebulon' }).where('id', '=', memberId).execute()
  return memberId
}

/** Starts an impersonation by Quentin. Returns the value of its cookie. */
export async function impersonate(app: TestApp, code: string, memberId: number): Promise<string> {
  const operator = {
    id: 1,
    email: 'quentin@dineback.example',
    name: 'Quentin',
    grants: [{ role: 'support', partnerId: null, permissions: ['members.impersonate'] }],
  } as const
  const { token } = await prepareImpersonation(app.database.consolePools.forPartner(code), {
    memberId,
    partnerId: code,
    operator,
    reason: 'Question about a transaction',
    change: false,
  })
  const frame = visit(app, code)
  expect((await frame.get(`/Emulate?token=${token}`)).status).toBe(303)
  return String(frame.cookies.get('emulation'))
}

/** Returns Eve's pass for the drafts of a program. */
export const previewPass = ({ settings }: TestApp, code: string) =>
  signPreviewPass(deriveKey(settings.APP_SECRET, 'preview'), { partnerId: code, editor: 'eve@dineback.example' })

/** Creates members, operators and editors of a program, each with the cookies of their browser. */
export async function createPeople(app: TestApp, code: string) {
  const db = app.database.pools.forPartner(code)
  const memberId = await addZebulon(db)
  const impersonation = await impersonate(app, code, memberId)
  const preview = previewPass(app, code)
  const sid = await openSessionOf(db, memberId)
  const destinations = ['document', 'iframe', 'empty'].map((dest) => ({ 'sec-fetch-dest': dest }))
  return [
    { cookies: { sid }, headers: {} },
    { cookies: { sid }, headers: { 'sec-fetch-dest': 'document' } },
    { cookies: { sid: await openSessionOf(db, null) }, headers: {} },
    { cookies: { emulation: impersonation }, headers: {} },
    ...destinations.map((headers) => ({ cookies: { emulation: impersonation }, headers })),
    { cookies: { emulation: impersonation, sid }, headers: { 'sec-fetch-dest': 'document' } },
    { cookies: { emulation: impersonation, preview }, headers: { 'sec-fetch-dest': 'document' } },
    { cookies: { preview }, headers: {} },
    { cookies: {}, headers: { 'x-inner-call': 'guessed' } },
    { cookies: {}, headers: { 'x-forwarded-host': 'attacker.example' } },
  ]
}
