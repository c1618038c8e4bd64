import { createHash } from 'node:crypto'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { asksFor, type ConsentChannel, type ConsentTopic, consentTopics, wordingKey } from './consent-topics.ts'
import type { ConsentCentre } from './contract.ts'
import * as store from './store.ts'

/** Records a consent with its exact text. `wording` is the text as shown; its version is its hash. */
export async function recordConsent(tx: Tx, consent: Omit<store.Consent, 'wordingVersion'>): Promise<void> {
  const wordingVersion = createHash('sha256').update(consent.wording).digest('hex').slice(0, 12)
  await store.insertConsent(tx, { ...consent, wordingVersion })
}

/** Returns the signed-in member's consents and their full history. */
export async function readConsents(ctx: Ctx): Promise<ConsentCentre> {
  const memberId = ctx.actor.memberId as number
  const member = await store.findMember(ctx.db, memberId)
  if (!member) throw new Error('a signed-in member who is not there')
  const kept = await store.consentsOf(ctx.db, memberId)
  const stands = { email: member.email_opt_in, sms: member.sms_opt_in }
  return {
    choices: consentTopics
      .filter(({ channel }) => asksFor(ctx.program.config, channel))
      .map(({ channel, topic }) => ({
        channel,
        topic,
        granted: stands[channel],
        wording: ctx.word(wordingKey(channel, topic)),
      })),
    history: kept.map(({ givenAt, wordingVersion, ...consent }) => ({
      ...consent,
      version: wordingVersion,
      at: givenAt.toISOString(),
    })),
  }
}

export interface Choice {
  channel: ConsentChannel
  topic: ConsentTopic
  granted: boolean
  source: string
}

/**
 * Gives or withdraws a consent of the signed-in member: updates the state, the record and, for email, the tier that
 * depends on it. Throws `notOffered`, `phoneNeeded`.
 */
export async function chooseConsent(ctx: Ctx, choice: Choice): Promise<void> {
  if (!asksFor(ctx.program.config, choice.channel)) throw new Refusal('notOffered')
  const memberId = ctx.actor.memberId as number
  await inTransaction(ctx.db, async (tx) => {
    const member = await store.lockOpenMember(tx, memberId)
    await store.changeMember(tx, memberId, columnsOf(member, choice))
    await recordConsent(tx, { ...choice, memberId, wording: ctx.word(wordingKey(choice.channel, choice.topic)) })
    const detail = { channel: choice.channel, topic: choice.topic, granted: choice.granted }
    await audit(tx, ctx, { action: 'consent.chosen', memberId, detail })
  })
}

function columnsOf(member: store.MemberRow, { channel, granted }: Choice) {
  if (channel === 'sms') {
    if (granted && member.phone_number === null) throw new Refusal('phoneNeeded')
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
