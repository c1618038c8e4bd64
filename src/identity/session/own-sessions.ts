import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { lockOwnMember } from '../members/service.ts'
import { deletePushDevice, deletePushDevicesOf, listPushDevices, type PushDevice } from '../notifications/service.ts'
import type { OwnSession } from './contract.ts'
import { listPasskeys } from './passkeys/store.ts'
import { sendSecurityEmail } from './security-email.ts'
import * as store from './store.ts'

/**
 * Ends what could still open an account without its password: codes in emails, requests for cards of other programs, and
 * impersonations. Returns how many. Given by the app, because those modules come later.
 */
export type EndPendingAccess = (tx: Tx, ctx: Ctx, memberId: number) => Promise<number>

/**
 * Returns the signed-in member's sessions, the current one first, and the browsers that get push messages though their
 * session is over.
 */
export async function listSessions(ctx: MemberCtx): Promise<OwnSession[]> {
  const own = await store.listSessions(ctx.db, ctx.actor.memberId)
  const devices = await listPushDevices(ctx.db, ctx.actor.memberId)
  const notified = new Set(devices.map(({ sessionId }) => sessionId))
  const open = new Set(own.map(({ publicId }) => publicId))
  const current = (session: store.OwnSession) => ctx.actor.sessionId?.equals(session.idHash) === true
  const sessions = own
    .map((session) => ({
      id: session.publicId,
      device: session.device,
      beganWith: session.beganWith,
      beganAt: session.beganAt.toISOString(),
      remembered: session.remembered,
      current: current(session),
      isSignedIn: true,
      getsNotifications: notified.has(session.publicId),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
  const left = devices.filter(({ sessionId }) => sessionId === null || !open.has(sessionId))
  return [...sessions, ...left.map(toSignedOutDevice)]
}

const toSignedOutDevice = ({ publicId, device, addedAt }: PushDevice): OwnSession => ({
  id: publicId,
  device,
  beganWith: 'visit',
  beganAt: addedAt.toISOString(),
  remembered: false,
  current: false,
  isSignedIn: false,
  getsNotifications: true,
})

/** Ends one session of the member, or the push messages in a browser whose session is over. Throws `sessionNotFound`. */
export async function endOwn(ctx: MemberCtx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    const { memberId } = ctx.actor
    if (await store.deleteOwnSession(tx, memberId, id)) return
    if (!(await deletePushDevice(tx, memberId, id))) throw new ApiError('sessionNotFound')
  })
}

/**
 * Ends all other ways in that the member has not set up for good: the other sessions, the known browsers, those that get
 * push messages, and what `endPending` ends. Passkeys stay; the email names them, and is sent only if something has ended.
 */
export async function endOthers(
  ctx: MemberCtx,
  { origin, endPending }: { origin: string; endPending: EndPendingAccess },
): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    const own = ctx.actor.sessionId as Buffer
    const pushDevices = await deletePushDevicesOf(tx, memberId, own)
    const sessions = await store.deleteSessionsOf(tx, memberId, own)
    await store.deleteKnownDevices(tx, memberId)
    const pending = await endPending(tx, ctx, memberId)
    const passkeys = (await listPasskeys(tx, memberId)).map(({ name }) => name)
    if (sessions + pushDevices + pending > 0)
      await sendSecurityEmail(tx, ctx, { event: 'others_ended', memberId, origin, passkeys })
    await audit(tx, ctx, { action: 'session.others-ended', memberId, detail: { passkeys: passkeys.length } })
  })
}
