import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { tokenHash } from '../../platform/security/ids.ts'
import { queueEmail } from '../email/service.ts'
import { findMemberRow } from '../members/service.ts'
import { deviceName } from './device.ts'
import { isKnownDevice } from './store.ts'

/** Emails the member when a password was used in a new browser. Must run before the browser is recorded. */
export async function notifyNewDevice(
  tx: Tx,
  ctx: Ctx,
  { memberId, device, origin }: { memberId: number; device: string; origin: string },
): Promise<void> {
  const deviceHash = tokenHash(device)
  if (await isKnownDevice(tx, deviceHash, memberId)) return
  const member = await findMemberRow(tx, memberId)
  if (!member) return
  const t = (key: string) => interpolate(ctx.t(`session.mail.device${key}`), { name: member.first_name })
  await queueEmail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: 'session.new-device',
    // Not the browser: it can be new to several members, and to one of them again.
    about: ctx.requestId,
    content: {
      subject: t('_subject'),
      preview: t('_preview'),
      title: t('_title'),
      paragraphs: [t('')],
      facts: [[t('_name'), deviceName(ctx.userAgent) || ctx.t('security.unknown_device')]],
      action: { text: t('_action'), href: `${origin}/account/security` },
      smallPrint: [t('_not_you')],
    },
  })
}
