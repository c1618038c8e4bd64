import { z } from 'zod'
import { Address, MemberType } from '../../identity/members/schemas.ts'
import { defineSchemas } from '../../platform/call.ts'
import { Day } from '../../platform/day.ts'
import { listOf, pageQuery } from '../../platform/list-call.ts'
import { TierLevel } from '../../programs/partners/schemas.ts'

export const Listed = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  partnerNumber: z.string().nullable(),
  tierLevel: TierLevel,
  memberType: MemberType,
  active: z.boolean(),
  /** The account was merged into another one of the person. */
  isMerged: z.boolean(),
  emailOptIn: z.boolean(),
  joinedAt: z.iso.datetime(),
  lastDinedAt: z.iso.datetime().nullable(),
  /** Of the linked cards. */
  lastFours: z.array(z.string()),
  tags: z.array(z.string()),
})
export type Listed = z.infer<typeof Listed>

const choice = z.enum(['any', 'yes', 'no']).default('any')

const MemberQuery = z.object({
  ...pageQuery,
  /** The beginning of a name, an email address, a phone or member number, an id or a referral code; or a card's last four. */
  q: z.string().max(120).optional(),
  tier: z.enum(['any', ...TierLevel.options]).default('any'),
  type: z.enum(['any', ...MemberType.options]).default('any'),
  joinedFrom: Day.optional(),
  joinedTo: Day.optional(),
  dinedFrom: Day.optional(),
  dinedTo: Day.optional(),
  /** Whether the member has ever dined. */
  dined: choice,
  card: choice,
  /** Whether the member wants offers by email. */
  consent: choice,
  tag: z.string().max(40).default(''),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export type MemberQuery = z.output<typeof MemberQuery>

export const listMembers = defineSchemas({
  summary: 'Lists members by the day of joining',
  query: MemberQuery,
  reply: listOf(Listed),
})

export const exportMembers = defineSchemas({
  summary: 'Returns the members that a filter finds as a file of CSV',
  query: MemberQuery,
  reply: z.unknown(),
  replyType: 'text/csv',
})

export const listMemberTags = defineSchemas({
  summary: 'Lists the tags that a program uses',
  reply: z.array(z.string()),
})

export const params = z.object({ id: z.string().max(60) })
export const errors = { notFound: 404 }

const OtherAccount = z.object({ id: z.string(), name: z.string(), at: z.iso.datetime() })

export const MemberDetail = Listed.extend({
  /** The tier that the member has earned; `tierLevel` is the one that counts. */
  earnedTier: TierLevel,
  /** What an operator gave until a day, where it is higher. */
  givenTier: z.object({ until: z.iso.date(), by: z.string(), at: z.iso.datetime() }).nullable(),
  /** The tiers above the earned one that the program has: an operator can give them. */
  tiersToGive: z.array(TierLevel),
  /** The account that has what this one had. */
  mergedInto: OtherAccount.nullable(),
  /** The accounts that were merged into this one. */
  mergedFrom: z.array(OtherAccount),
  /** Changes with every change of the row: what an editor saw. */
  version: z.string(),
  familyId: z.string(),
  referralCode: z.string(),
  emailVerifiedAt: z.iso.datetime().nullable(),
  phoneNumber: z.string(),
  smsOptIn: z.boolean(),
  address: Address,
  enrollmentSource: z.string().nullable(),
  hasReturned: z.boolean(),
  hasPassword: z.boolean(),
  /** The partner's provider signs the member in. */
  isLinkedToProvider: z.boolean(),
  vipFrom: z.iso.date().nullable(),
  vipUntil: z.iso.date().nullable(),
  /** As text: `1,204 miles`. */
  balance: z.string(),
  /** Wrong passwords have locked the account. */
  isLocked: z.boolean(),
  /** What the program's forms allow to correct. */
  namesEditable: z.boolean(),
  emailEditable: z.boolean(),
})
export type MemberDetail = z.infer<typeof MemberDetail>

export const getMember = defineSchemas({ summary: 'Returns a member', params, reply: MemberDetail, errors })

export const Moment = z.iso.datetime()

export const MemberRecords = z.object({
  consents: z.array(
    z.object({
      channel: z.enum(['email', 'sms', 'card', 'terms']),
      topic: z.string(),
      granted: z.boolean(),
      wording: z.string(),
      source: z.string(),
      at: Moment,
    }),
  ),
  cards: z.array(
    z.object({
      id: z.string(),
      network: z.string(),
      description: z.string(),
      lastFour: z.string(),
      expires: z.string().nullable(),
      linkedAt: Moment,
      removedAt: Moment.nullable(),
    }),
  ),
  /** Cards that moved to or from another program of this installation. */
  moves: z.array(
    z.object({ id: z.string(), lastFour: z.string(), isArrival: z.boolean(), at: Moment, undoneAt: Moment.nullable() }),
  ),
  bonuses: z.array(
    z.object({
      code: z.string(),
      description: z.string(),
      state: z.enum(['Eligible', 'Enrolled', 'Qualified']),
      /** Since when it is in this state. */
      at: Moment,
    }),
  ),
  /** Running bonuses that the member does not have: an operator can grant them. */
  grantable: z.array(z.object({ code: z.string(), description: z.string() })),
  reservations: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      startsAt: Moment,
      localDate: z.iso.date(),
      localTime: z.string(),
      partySize: z.number().int(),
      status: z.string(),
      confirmation: z.string().nullable(),
    }),
  ),
  reviews: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      at: Moment,
      rating: z.number().int().nullable(),
      body: z.string(),
    }),
  ),
  claims: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      dinedOn: z.iso.date(),
      amountCents: z.number().int(),
      openedAt: Moment,
      isDecided: z.boolean(),
    }),
  ),
  sessions: z.array(
    z.object({
      id: z.string(),
      device: z.string(),
      beganWith: z.string(),
      beganAt: Moment,
      isSignedIn: z.boolean(),
      getsNotifications: z.boolean(),
    }),
  ),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: Moment, usedAt: Moment.nullable() })),
  /** Who has looked at the app as this member. */
  impersonations: z.array(
    z.object({
      id: z.string(),
      by: z.string(),
      reason: z.string(),
      at: Moment,
      how: z.enum(['notStarted', 'viewOnly', 'couldChange']),
    }),
  ),
})
export type MemberRecords = z.infer<typeof MemberRecords>

export const getMemberRecords = defineSchemas({
  summary: 'Returns what belongs to a member: cards, consents, bonuses, reservations, reviews, claims and sessions',
  params,
  reply: MemberRecords,
  errors,
})

export const MemberTransaction = z.object({
  id: z.string(),
  at: Moment,
  merchantName: z.string(),
  cents: z.number().int(),
  refundedCents: z.number().int(),
  lastFour: z.string(),
  /** As text: `144 miles`. */
  reward: z.string(),
  status: z.string(),
  /** Why, as the member reads it. */
  reason: z.string(),
  isBonus: z.boolean(),
})
export type MemberTransaction = z.infer<typeof MemberTransaction>

export const listMemberTransactions = defineSchemas({
  summary: 'Lists the transactions of a member, the latest first, with the words that the member reads',
  params,
  query: z.object(pageQuery),
  reply: listOf(MemberTransaction),
  errors,
})

export const JournalLine = z.object({
  id: z.string(),
  at: Moment,
  kind: z.string(),
  /** As text, with a sign: `-144 miles`. */
  amount: z.string(),
  balance: z.string(),
  /** The transaction that it was posted for. */
  transactionId: z.string().nullable(),
  merchantName: z.string().nullable(),
  words: z.string(),
})
export type JournalLine = z.infer<typeof JournalLine>

export const listMemberJournal = defineSchemas({
  summary: 'Lists what was posted to the balance of a member, the latest first',
  params,
  query: z.object(pageQuery),
  reply: listOf(JournalLine),
  errors,
})

export const MemberEmail = z.object({
  id: z.string(),
  topic: z.string(),
  subject: z.string(),
  recipient: z.string(),
  status: z.enum(['waiting', 'sent', 'stored', 'failed', 'withheld']),
  at: Moment,
  sentAt: Moment.nullable(),
  error: z.string(),
  /** It failed, and its text still exists. */
  canResend: z.boolean(),
})
export type MemberEmail = z.infer<typeof MemberEmail>

export const listMemberEmails = defineSchemas({
  summary: 'Lists the emails to a member, the latest first',
  params,
  query: z.object(pageQuery),
  reply: listOf(MemberEmail),
  errors,
})

export const emailParams = params.extend({ email: z.string().regex(/^\d{1,18}$/) })

export const getMemberEmail = defineSchemas({
  summary: 'Returns the text of an email to a member. That of one with a code is hidden while the code can be used',
  params: emailParams,
  reply: MemberEmail.extend({ text: z.string(), isSecret: z.boolean() }),
  errors,
})

export const MemberNotification = z.object({
  id: z.string(),
  topic: z.string(),
  channel: z.enum(['email', 'push']),
  status: z.enum(['waiting', 'sent', 'failed', 'unwanted']),
  at: Moment,
})

export const listMemberNotifications = defineSchemas({
  summary: 'Lists the notifications of a member, the latest first',
  params,
  query: z.object(pageQuery),
  reply: listOf(MemberNotification),
  errors,
})

export const TimelineEntry = z.object({
  id: z.string(),
  kind: z.enum(['event', 'note', 'email', 'act', 'transaction']),
  at: Moment,
  title: z.string(),
  /** Who did it; empty for what happened by itself. */
  by: z.string(),
  detail: z.string(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const listMemberTimeline = defineSchemas({
  summary:
    'Lists what happened to a member, the latest first: events, notes, emails, transactions and acts of operators',
  params,
  query: z.object(pageQuery),
  reply: listOf(TimelineEntry),
  errors,
})

export const exportMemberData = defineSchemas({
  summary: 'Returns all data of a member, as the member’s own export does',
  params,
  reply: z.unknown(),
  errors,
})
