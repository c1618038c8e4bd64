import type { Tx } from '../../platform/database/db.ts'
import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { tokenHash } from '../../platform/security/ids.ts'
import { postMail } from '../email/service.ts'
import { memberRow } from '../members/service.ts'
import { deviceName } from './device.ts'
import { knowsDevice } from './store.ts'

/** Emails the member when a password was used in a new browser. Must run before the browser is recorded. */
export async function tellNewDevice(
  tx: Tx,
  ctx: Ctx,
  { memberId, device, origin }: { memberId: number; device: string; origin: string },
): Promise<void> {
  const deviceHash = tokenHash(device)
  if (await knowsDevice(tx, deviceHash, memberId)) return
  const member = await memberRow(tx, memberId)
  if (!member) return
  const t = (key: string) => fill(ctx.word(`session.mail.device${key}`), { name: member.first_name })
  await postMail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: 'session.new-device',
    about: deviceHash.toString('hex').slice(0, 32),
    letter: {
      subject: t('_subject'),
      preview: t('_preview'),
      title: t('_title'),
      paragraphs: [t('')],
      facts: [[t('_name'), deviceName(ctx.userAgent) || ctx.word('security.unknown_device')]],
      action: { text: t('_action'), href: `${origin}/account/security` },
      smallPrint: [t('_not_you')],
    },
  })
}
