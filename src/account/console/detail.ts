import { listImpersonations } from '../../identity/impersonation/service.ts'
import { profileFields } from '../../identity/members/profile/rules.ts'
import {
  findMemberByPublicId,
  findMergedInto,
  getCurrentTier,
  isStanding,
  listConsents,
  listMergedInto,
  type MemberRow,
} from '../../identity/members/service.ts'
import { listPasskeys } from '../../identity/session/passkeys/service.ts'
import { listSessions } from '../../identity/session/service.ts'
import { isLocked } from '../../platform/database/attempts.ts'
import type { PageRequest } from '../../platform/database/keyset.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { formatReward, smallestUnits } from '../../programs/partners/rates.ts'
import { findListedTransactions, toRewardTransaction } from '../../rewards/awards/read-transaction.ts'
import { type ActivatedBonus, listActivatedBonuses, readBonuses } from '../../rewards/bonuses/service.ts'
import { statusText } from '../../rewards/earning/explain.ts'
import { unitOf } from '../../rewards/earning/terms.ts'
import { getBalance } from '../../rewards/ledger/entries.ts'
import { actingAs } from './acting-as.ts'
import * as store from './detail-store.ts'
import { lockKeysOf } from './lock-keys.ts'
import { nameOf } from './member-words.ts'
import type {
  JournalLine,
  MemberDetail,
  MemberEmail,
  MemberRecords,
  MemberTransaction,
  TimelineEntry,
} from './schemas.ts'
import { tiersToGive } from './tiers/tiers-to-give.ts'
import { detailOf, titleOf } from './timeline-titles.ts'

/** Returns the row of a member of the program. Throws `notFound`, also for a deleted account. */
export async function findMember(ctx: Pick<OperatorCtx, 'db'>, id: string): Promise<MemberRow> {
  const member = await findMemberByPublicId(ctx.db, id)
  if (!member || member.deleted_at) throw new ApiError('notFound')
  return member
}

const otherAccount = ({ mergedAt, ...row }: MemberRow & { mergedAt: Date }) => ({
  id: row.public_id,
  name: nameOf({ firstName: row.first_name, lastName: row.last_name, email: row.email }),
  at: mergedAt.toISOString(),
})

const toText = (at: Date | null) => at?.toISOString() ?? null

async function isAnyLocked(ctx: OperatorCtx, keys: readonly Buffer[]): Promise<boolean> {
  const locked = await Promise.all(keys.map((key) => isLocked(ctx.db, key)))
  return locked.includes(true)
}

/** Returns a member. Throws `notFound`. */
export async function getMember(ctx: OperatorCtx, lockKey: Buffer, id: string): Promise<MemberDetail> {
  const row = await findMember(ctx, id)
  const { config } = ctx.program
  const [facts, balance, isAccountLocked, mergedInto, mergedFrom, tier] = await Promise.all([
    store.findFacts(ctx.db, row.id),
    getBalance(ctx.db, row.id, unitOf(config.currencyType)),
    isAnyLocked(ctx, await lockKeysOf(ctx, lockKey, row.id, ctx.db)),
    findMergedInto(ctx.db, row.id),
    listMergedInto(ctx.db, row.id),
    getCurrentTier(ctx, row),
  ])
  return {
    id: row.public_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    partnerNumber: row.partner_number,
    tierLevel: tier.tier,
    earnedTier: tier.earned,
    givenTier: tier.grant
      ? { until: tier.grant.lastDay, by: tier.grant.givenBy, at: tier.grant.givenAt.toISOString() }
      : null,
    tiersToGive: isStanding(row) ? tiersToGive(config, tier.earned) : [],
    memberType: row.member_type as MemberDetail['memberType'],
    active: row.active,
    isMerged: row.merged_into_id !== null,
    mergedInto: mergedInto ? otherAccount(mergedInto) : null,
    mergedFrom: mergedFrom.map(otherAccount),
    emailOptIn: row.email_opt_in,
    joinedAt: row.joined_at.toISOString(),
    lastDinedAt: toText(facts.lastDinedAt),
    lastFours: facts.lastFours,
    tags: facts.tags,
    version: row.updated_at.toISOString(),
    familyId: row.family_id,
    referralCode: row.referral_code,
    emailVerifiedAt: toText(row.email_verified_at),
    phoneNumber: row.phone_number ?? '',
    smsOptIn: row.sms_opt_in,
    address: {
      address1: row.address1,
      address2: row.address2,
      city: row.city,
      state: row.state,
      zipCode: row.zip_code,
    },
    enrollmentSource: row.enrollment_source,
    hasReturned: row.has_returned,
    hasPassword: facts.hasPassword,
    isLinkedToProvider: facts.isLinkedToProvider,
    vipFrom: row.vip_from,
    vipUntil: row.vip_until,
    balance: formatReward(config, balance),
    isLocked: isAccountLocked,
    namesEditable: profileFields(config).namesEditable,
    emailEditable: config.enrollmentType === 'direct',
  }
}

/** Returns since when a member's bonus is activated, or earned; undefined for one that is only offered. */
const sinceOf = (bonus: Pick<ActivatedBonus, 'enrolledAt' | 'qualifiedAt'> | undefined) =>
  (bonus?.qualifiedAt ?? bonus?.enrolledAt)?.toISOString()

/** Returns what belongs to a member. Throws `notFound`. */
export async function getRecords(ctx: OperatorCtx, id: string): Promise<MemberRecords> {
  const member = await findMember(ctx, id)
  const { db } = ctx
  const own = actingAs(ctx, member.id)
  const [
    consents,
    cards,
    moves,
    bonuses,
    activated,
    reservations,
    reviews,
    claims,
    sessions,
    passkeys,
    impersonations,
  ] = await Promise.all([
    listConsents(db, member.id),
    store.listCards(db, member.id),
    store.listMoves(db, member.id),
    readBonuses(ctx, member),
    listActivatedBonuses(db, member.id),
    store.listReservations(db, member.id),
    store.listReviews(db, member.id),
    store.listClaims(db, member.id),
    listSessions(own),
    listPasskeys(own),
    listImpersonations(db, member.id),
  ])
  const periods = new Map(activated.map(({ terms, ...period }) => [terms.code, period]))
  const has = new Set(bonuses.filter(({ bonusStatus }) => bonusStatus !== 'Eligible').map(({ code }) => code))
  return {
    consents: consents.map(({ channel, topic, granted, wording, source, givenAt }) => ({
      channel,
      topic,
      granted,
      wording,
      source,
      at: givenAt.toISOString(),
    })),
    cards: cards.map(({ linkedAt, removedAt, ...card }) => ({
      ...card,
      linkedAt: linkedAt.toISOString(),
      removedAt: toText(removedAt),
    })),
    moves: moves.map(({ lastFour, at, undoneAt, ...move }) => ({
      ...move,
      lastFour: lastFour ?? '',
      at: at.toISOString(),
      undoneAt: toText(undoneAt),
    })),
    bonuses: bonuses.map(({ code, description, bonusStatus, createDateUtc }) => ({
      code,
      description,
      state: bonusStatus,
      at: sinceOf(periods.get(code)) ?? createDateUtc,
    })),
    grantable: ctx.program.config.bonuses
      .filter(({ code }) => !has.has(code))
      .map(({ code, description }) => ({ code, description })),
    reservations: reservations.map(({ startsAt, localTime, ...reservation }) => ({
      ...reservation,
      startsAt: startsAt.toISOString(),
      localTime: localTime.slice(0, 5),
    })),
    reviews: reviews.map(({ id: reviewId, at, body, ...review }) => ({
      ...review,
      id: String(reviewId),
      at: at.toISOString(),
      body: body ?? '',
    })),
    claims: claims.map(({ openedAt, ...claim }) => ({ ...claim, openedAt: openedAt.toISOString() })),
    sessions: sessions.map(({ id: sessionId, device, beganWith, beganAt, isSignedIn, getsNotifications }) => ({
      id: sessionId,
      device,
      beganWith,
      beganAt,
      isSignedIn,
      getsNotifications,
    })),
    passkeys: passkeys.map(({ id: passkeyId, name, createdAt, usedAt }) => ({
      id: passkeyId,
      name,
      createdAt,
      usedAt,
    })),
    impersonations: impersonations.map((each) => ({
      id: each.public_id,
      by: each.operator_name,
      reason: each.reason,
      at: (each.started_at ?? each.created_at).toISOString(),
      how: each.started_at === null ? 'notStarted' : each.may_change ? 'couldChange' : 'viewOnly',
    })),
  }
}

/** Returns a page of a member's transactions, with the words that the member reads. Throws `notFound`. */
export async function listTransactions(ctx: OperatorCtx, id: string, page: PageRequest) {
  const member = await findMember(ctx, id)
  const { rows, next, total } = await store.listTransactionIds(ctx.db, member.id, page)
  const ids = rows.map((row) => row.id)
  const listed = new Map((await findListedTransactions(ctx.db, ids)).map((row) => [row.id, row]))
  const items = ids.flatMap((transactionId): MemberTransaction[] => {
    const row = listed.get(transactionId)
    return row ? [toTransaction(ctx, row)] : []
  })
  return { items, next, total }
}

function toTransaction(
  ctx: OperatorCtx,
  row: Awaited<ReturnType<typeof findListedTransactions>>[number],
): MemberTransaction {
  const { config } = ctx.program
  const shown = toRewardTransaction(ctx, row)
  const status = statusText(config, shown, ctx.now())
  return {
    id: shown.sourceTransactionId,
    at: shown.transactionCreatedAt,
    merchantName: shown.merchantName,
    cents: Math.round(shown.dineAmount * 100),
    refundedCents: Math.round(shown.refundedAmount * 100),
    lastFour: shown.cardLastFour,
    reward: formatReward(config, smallestUnits(config, shown.benefitAmount)),
    // A page of the member may show no text for a successful row.
    status: interpolate(ctx.t(status.key) || ctx.t(`rewards.status.${shown.status}`), status.params),
    reason: interpolate(ctx.t(shown.reason.key), shown.reason.params),
    isBonus: shown.transactionTypeCode === 'B',
  }
}

/** Returns a page of what was posted to a member's balance. Throws `notFound`. */
export async function listJournal(ctx: OperatorCtx, id: string, page: PageRequest) {
  const member = await findMember(ctx, id)
  const { config } = ctx.program
  const { rows, next, total } = await store.listJournal(ctx.db, member.id, unitOf(config.currencyType), page)
  const items = rows.map(
    ({ id: postingId, at, kind, amount, balance, transactionId, merchantName, words }): JournalLine => ({
      id: String(postingId),
      at: at.toISOString(),
      kind,
      amount: `${amount > 0 ? '+' : ''}${formatReward(config, amount)}`,
      balance: formatReward(config, balance),
      transactionId,
      merchantName,
      words: words ?? '',
    }),
  )
  return { items, next, total }
}

function toEmail({ id, at, sentAt, status, error, ...email }: store.EmailRecord): MemberEmail {
  return {
    ...email,
    id: String(id),
    status: status as MemberEmail['status'],
    at: at.toISOString(),
    sentAt: toText(sentAt),
    error: error ?? '',
  }
}

/** Returns a page of the emails to a member. Throws `notFound`. */
export async function listEmails(ctx: OperatorCtx, id: string, page: PageRequest) {
  const member = await findMember(ctx, id)
  const { rows, next, total } = await store.listEmails(ctx.db, member.id, page)
  return { items: rows.map(toEmail), next, total }
}

/** Returns an email with its text, unless that opens the account. Throws `notFound`. */
export async function getEmail(ctx: OperatorCtx, id: string, emailId: string) {
  const member = await findMember(ctx, id)
  const email = await store.findEmail(ctx.db, member.id, Number(emailId))
  if (!email) throw new ApiError('notFound')
  const { text, isSecret, ...row } = email
  return { ...toEmail(row), text, isSecret }
}

/** Returns a page of the notifications of a member. Throws `notFound`. */
export async function listNotifications(ctx: OperatorCtx, id: string, page: PageRequest) {
  const member = await findMember(ctx, id)
  const { rows, next, total } = await store.listNotifications(ctx.db, member.id, page)
  const items = rows.map(({ id: notificationId, topic, channel, status, at }) => ({
    id: String(notificationId),
    topic,
    channel: channel as 'email' | 'push',
    status: status as 'waiting' | 'sent' | 'failed' | 'unwanted',
    at: at.toISOString(),
  }))
  return { items, next, total }
}

/** Returns a page of everything that happened to a member. Throws `notFound`. */
export async function listTimeline(ctx: OperatorCtx, id: string, page: PageRequest) {
  const member = await findMember(ctx, id)
  const { rows, next, total } = await store.listTimeline(ctx.db, member.id, page)
  const names = new Map(ctx.program.config.bonuses.map(({ code, description }) => [code, description]))
  // A bonus that the program no longer has is named by nothing: its code says nothing to people.
  const words = { bonusName: (code: string) => names.get(code) ?? '' }
  const items = rows.map(
    (row): TimelineEntry => ({
      id: String(row.id),
      kind: row.kind,
      at: row.at.toISOString(),
      title: titleOf(row, words),
      by: actorOf(row),
      detail: detailOf(row),
    }),
  )
  return { items, next, total }
}

/** Returns who did something. Actors of events are stored as `member:7` or `operator:3 Sam`. */
function actorOf({ kind, by }: Pick<store.TimelineRecord, 'kind' | 'by'>): string {
  if (kind !== 'event' || by === 'system') return kind === 'event' ? '' : by
  if (by.startsWith('member:')) return 'The member'
  return by === 'visitor' ? 'A visitor' : by.replace(/^operator:\d+ /, '')
}
