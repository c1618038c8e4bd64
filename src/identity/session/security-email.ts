import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { tokenHash } from '../../platform/security/ids.ts'
import { queueSecurityEmail } from '../email/service.ts'
import { lockMember } from '../members/service.ts'
import { deviceName } from './device.ts'
import { isKnownDevice } from './store.ts'

/** What an email of this module is about: the last part of its copy keys. */
export type SecurityEvent = 'device' | 'passkey_added' | 'passkey_removed' | 'linked' | 'others_ended'

const topics: Record<SecurityEvent, string> = {
  device: 'session.new-device',
  passkey_added: 'session.passkey-added',
  passkey_removed: 'session.passkey-removed',
  linked: 'session.identity-linked',
  others_ended: 'session.others-ended',
}

export interface SecurityEmail {
  event: SecurityEvent
  memberId: number
  /** The origin of the program's pages: from the configuration, never from a request. */
  origin: string
  /** The names of passkeys that the email is about. */
  passkeys?: readonly string[]
}

/**
 * Emails the member that a way into the account was used, added or removed, in the transaction that does so; within an
 * hour at most five times for each event.
 */
export async function sendSecurityEmail(
  tx: Tx,
  ctx: Ctx,
  { event, memberId, origin, passkeys = [] }: SecurityEmail,
): Promise<void> {
  // Locked, so that concurrent acts are counted.
  const member = await lockMember(tx, memberId)
  if (!member) return
  const t = (key: string) => interpolate(ctx.t(`session.mail.${event}${key}`), { name: member.first_name })
  await queueSecurityEmail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: topics[event],
    // Not the browser: it can be new to several members, and to one of them again.
    about: ctx.requestId,
    content: {
      subject: t('_subject'),
      preview: t('_preview'),
      title: t('_title'),
      paragraphs: [t('')],
      facts: [
        ...passkeys.map((name) => [ctx.t('session.mail.passkey'), name] as const),
        [ctx.t('session.mail.browser'), deviceName(ctx.userAgent) || ctx.t('security.unknown_device')],
      ],
      action: { text: ctx.t('session.mail.action'), href: `${origin}/account/security` },
      smallPrint: [ctx.t('session.mail.not_you')],
    },
  })
}

/** Emails the member when a new browser signed in. Must run before the browser is recorded. */
export async function notifyNewDevice(
  tx: Tx,
  ctx: Ctx,
  { memberId, device, origin }: { memberId: number; device: string; origin: string },
): Promise<void> {
  if (await isKnownDevice(tx, tokenHash(device), memberId)) return
  await sendSecurityEmail(tx, ctx, { event: 'device', memberId, origin })
}
