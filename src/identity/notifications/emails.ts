import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { countEmails, type EmailContent, queueEmail } from '../email/service.ts'
import { lockMember } from '../members/service.ts'
import { dayAround, maxListedRewards, maxRewardEmailsPerDay, rewardTopics, wantsFrom } from './rules.ts'
import * as store from './store.ts'

/** Returns the title and the sentence of a notification; `variant` in its parameters selects other ones of its topic. */
export function messageTexts(
  ctx: Pick<Ctx, 't'>,
  notification: store.QueuedNotification,
): Record<'title' | 'body', string> {
  const t = (part: string) => interpolate(ctx.t(`notices.${nameOf(notification)}_${part}`), notification.params)
  return { title: t('title'), body: t('body') }
}

const nameOf = ({ topic, params }: store.QueuedNotification) => (params.variant ? `${topic}_${params.variant}` : topic)

const isAboutReward = ({ topic }: Pick<store.QueuedNotification, 'topic'>) =>
  rewardTopics.some((each) => each === topic)

const digestTopic = 'notice.rewards'
const rewardEmailTopics = [digestTopic, ...rewardTopics.map((topic) => `notice.${topic}`)]

/**
 * Queues the email of a notification, unless the member does not want its topic anymore. Rewards that wait together
 * become one email; when the member has had enough of these emails within the day of the program, they wait for the
 * next morning.
 */
export async function sendByEmail(tx: Tx, ctx: Ctx, origin: string, queued: store.QueuedNotification): Promise<void> {
  // Other workers may send other notifications of this member.
  const member = await lockMember(tx, queued.memberId)
  const unsent = await store.listUnsentWith(tx, queued, isAboutReward(queued) ? rewardTopics : [])
  const record = async (those: readonly store.QueuedNotification[], outcome: store.DeliveryOutcome) => {
    for (const { id } of those) await store.recordOutcome(tx, id, outcome)
  }
  if (!member || member.deleted_at) return record(unsent, { status: 'failed' })
  const wants = wantsFrom(await store.listPreferences(tx, [member.id]))
  const wanted = unsent.filter(({ topic }) => wants(topic, 'email'))
  await record(
    unsent.filter((each) => !wanted.includes(each)),
    { status: 'unwanted' },
  )
  const [first, ...others] = wanted
  if (!first) return
  if (isAboutReward(first)) {
    const { began, nextMorning } = dayAround(ctx.now(), ctx.program.config.timeZone)
    const withinMs = ctx.now().getTime() - began.getTime()
    const sent = await countEmails(tx, { memberId: member.id, topics: rewardEmailTopics, withinMs })
    if (sent >= maxRewardEmailsPerDay)
      return record(wanted, { status: 'postponed', forMs: nextMorning.getTime() - ctx.now().getTime() })
  }
  const isDigest = others.length > 0
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: isDigest ? digestTopic : `notice.${first.topic}`,
    about: isDigest ? String(first.id) : first.about,
    content: emailContent(
      ctx,
      origin,
      member.first_name,
      isDigest ? digestParts(ctx, wanted) : singleParts(ctx, first),
    ),
  })
  await record(wanted, { status: 'sent' })
}

type Parts = Pick<EmailContent, 'title' | 'preview' | 'paragraphs' | 'facts'> & { path: string; smallPrint: string[] }

function singleParts(ctx: Ctx, notification: store.QueuedNotification): Parts {
  const { title, body } = messageTexts(ctx, notification)
  return { title, preview: body, paragraphs: [body], facts: [], path: notification.path, smallPrint: [] }
}

function digestParts(ctx: Ctx, rewards: readonly store.QueuedNotification[]): Parts {
  // The amount is the name of the fact: names stay on one line, and a restaurant's would be wider than a phone.
  const facts = rewards
    .slice(0, maxListedRewards)
    .map(
      (each) => [each.params.benefit ?? '', interpolate(ctx.t(`notices.digest_${nameOf(each)}`), each.params)] as const,
    )
  const unlisted = rewards.length - facts.length
  const more = unlisted === 0 ? [] : [interpolate(ctx.t('notices.digest_more'), { count: String(unlisted) })]
  return {
    title: interpolate(ctx.t('notices.digest_title'), { count: String(rewards.length) }),
    preview: facts.map(([benefit, cause]) => `${benefit}: ${cause}`).join(' · '),
    paragraphs: [ctx.t('notices.digest_lead'), ...more],
    facts,
    path: rewards[0]?.path ?? '/account',
    smallPrint: [ctx.t('notices.digest_why')],
  }
}

function emailContent(ctx: Ctx, origin: string, name: string, { path, ...parts }: Parts): EmailContent {
  return {
    ...parts,
    subject: parts.title,
    paragraphs: [interpolate(ctx.t('notices.mail_greeting'), { name }), ...parts.paragraphs],
    action: { text: ctx.t('notices.mail_action'), href: origin + path },
    smallPrint: [...parts.smallPrint, ctx.t('notices.mail_choose')],
  }
}
