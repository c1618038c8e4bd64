import { createHash } from 'node:crypto'
import { audit, countLastDay } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import { type ConsentChannel, type ConsentTopic, consentTextKey, consentTopics, hasConsent } from './consent-topics.ts'
import type { ConsentCenter } from './contract.ts'
import { lockOwnMember } from './own-member.ts'
import * as store from './store.ts'

/** Records a consent with its exact text. `consentText` is the text as shown; `version` is its hash. */
export async function recordConsent(tx: Tx, consent: Omit<store.Consent, 'version'>): Promise<void> {
  const version = createHash('sha256').update(consent.consentText).digest('hex').slice(0, 12)
  await store.insertConsent(tx, { ...consent, version })
}

/** Returns the signed-in member's consents and their full history. */
export async function readConsents(ctx: MemberCtx): Promise<ConsentCenter> {
  const memberId = ctx.actor.memberId
  const member = await store.findMember(ctx.db, memberId)
  if (!member) throw new Error('the signed-in member does not exist')
  const stored = await store.listConsents(ctx.db, memberId)
  const granted = { email: member.email_opt_in, sms: member.sms_opt_in }
  return {
    choices: consentTopics
      .filter(({ channel }) => hasConsent(ctx.program.config, channel))
      .map(({ channel, topic }) => ({
        channel,
        topic,
        granted: granted[channel],
        wording: ctx.t(consentTextKey(channel, topic)),
      })),
    history: stored.map(({ givenAt, ...consent }) => ({ ...consent, at: givenAt.toISOString() })),
  }
}

/** Changes of one kind that a member makes within a day. Their record is kept forever. */
export const maxChangesPerDay = 100

/** Throws `tooManyChanges`. The caller holds the member's lock. */
export async function rejectBeyondChanges(tx: Tx, change: { action: string; memberId: number }): Promise<void> {
  if ((await countLastDay(tx, change)) >= maxChangesPerDay) throw new ApiError('tooManyChanges')
}

export interface Choice {
  channel: ConsentChannel
  topic: ConsentTopic
  granted: boolean
  source: string
}

/**
 * Gives or withdraws a consent of the signed-in member: updates the state, the record and, for email, the tier that
 * depends on it. Throws `notOffered`, `phoneNeeded`, `tooManyChanges`.
 */
export async function chooseConsent(ctx: MemberCtx, choice: Choice): Promise<void> {
  if (!hasConsent(ctx.program.config, choice.channel)) throw new ApiError('notOffered')
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    const member = await lockOwnMember(tx, ctx)
    await rejectBeyondChanges(tx, { action: 'consent.chosen', memberId })
    await store.changeMember(tx, memberId, toColumns(member, choice))
    await recordConsent(tx, { ...choice, memberId, consentText: ctx.t(consentTextKey(choice.channel, choice.topic)) })
    const detail = { channel: choice.channel, topic: choice.topic, granted: choice.granted }
    await audit(tx, ctx, { action: 'consent.chosen', memberId, detail })
  })
}

function toColumns(member: store.MemberRow, { channel, granted }: Choice) {
  if (channel === 'sms') {
    if (granted && member.phone_number === null) throw new ApiError('phoneNeeded')
    return { sms_opt_in: granted }
  }
  const follows = member.tier_level === 'OptedIn' || member.tier_level === 'OptedOut'
  return { email_opt_in: granted, ...(follows && { tier_level: granted ? 'OptedIn' : 'OptedOut' }) }
}

/** Returns the id of the record if the member's latest choice on a topic is yes; null otherwise. */
export async function findConsent(
  tx: Tx,
  memberId: number,
  { channel, topic }: { channel: string; topic: string },
): Promise<number | null> {
  const latest = await tx
    .selectFrom('consents')
    .select(['id', 'granted'])
    .where('member_id', '=', memberId)
    .where('channel', '=', channel)
    .where('topic', '=', topic)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.granted ? latest.id : null
}
