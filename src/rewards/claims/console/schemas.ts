import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { listOf, pageQuery } from '../../../platform/list-call.ts'
import { resolutions } from '../rules.ts'

const Decision = z.object({
  code: z.enum(resolutions),
  words: z.string(),
  /** As text: `144 miles`. */
  reward: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
})

export const QueuedClaim = z.object({
  id: z.string(),
  merchantName: z.string(),
  dinedOn: z.iso.date(),
  amountCents: z.number().int(),
  memberName: z.string(),
  openedAt: z.iso.datetime(),
  respondBy: z.iso.datetime(),
  hasReceipt: z.boolean(),
  owner: z.object({ name: z.string(), isMe: z.boolean() }).nullable(),
  /** Null while it is open. */
  decision: Decision.nullable(),
})
export type QueuedClaim = z.infer<typeof QueuedClaim>

export const listClaimQueue = defineSchemas({
  summary: 'Lists claims: open or late ones by deadline, or decided ones, the latest first',
  query: z.object({
    ...pageQuery,
    /** Late ones are open. */
    state: z.enum(['open', 'late', 'decided']).default('open'),
    owner: z.enum(['anybody', 'me', 'nobody']).default('anybody'),
    q: z.string().max(120).optional(),
  }),
  reply: listOf(QueuedClaim),
})

const SimilarTransaction = z.object({
  networkId: z.string(),
  dinedAt: z.iso.datetime(),
  merchantName: z.string(),
  cents: z.number().int(),
  cardLastFour: z.string(),
  status: z.string(),
  /** Its card is linked to no member. */
  isUnmatched: z.boolean(),
  /** It earns for the member, and is the claimed meal, or may be it. */
  earning: z.enum(['exact', 'similar']).nullable(),
})

export const ClaimDetail = QueuedClaim.extend({
  memberId: z.string(),
  /** The restaurant that the member chose; null: one that the program does not have. */
  restaurant: z.object({ id: z.string(), city: z.string(), isParticipating: z.boolean() }).nullable(),
  note: z.string(),
  receiptType: z.string().nullable(),
  cardLastFour: z.string().nullable(),
  /** What the member was shown when the claim was opened. */
  findings: z.array(z.string()),
  /** The member said that it is another meal than the similar ones. */
  saysAnother: z.boolean(),
  /** All of the member, and those of unlinked cards whose amounts are nearest. */
  similarTransactions: z.array(SimilarTransaction),
  /** How many transactions of unlinked cards are not among them. */
  moreUnmatched: z.number().int(),
  similarClaims: z.array(
    z.object({ id: z.string(), dinedOn: z.iso.date(), amountCents: z.number().int(), isDecided: z.boolean() }),
  ),
  /** The reward to suggest, as operators type it, and its unit. */
  suggestedReward: z.string(),
  rewardUnit: z.string(),
  /** A credit above the limit of one operator that waits for a second one: the id of the request, and what it is. */
  waits: z.object({ approval: z.string(), summary: z.string() }).nullable(),
})
export type ClaimDetail = z.infer<typeof ClaimDetail>

const params = z.object({ id: z.string().max(60) })

export const getClaim = defineSchemas({
  summary: 'Returns a claim beside what the engine knows about its meal',
  params,
  reply: ClaimDetail,
  errors: { notFound: 404 },
})

export const decideClaim = defineSchemas({
  summary:
    'Decides a claim: credits its meal, or says why not. The member gets an email. A credit above the program’s limit asks a second operator',
  params,
  body: z.object({
    code: z.enum(resolutions, 'console.claims.outcome'),
    /** Shown to the member. */
    words: z
      .string()
      .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
      .max(500, 'console.claims.words_long')
      .default(''),
    /** As typed: `1.25` dollars, or `1,200` miles. Read when the outcome is a credit. */
    reward: z.string().max(40).default(''),
    /** A reward of more than twice the usual one that the operator has confirmed, as typed. */
    confirmedReward: z.string().max(40).default(''),
    /** Network ids of the earning transactions that the operator saw and says to be other meals. */
    otherMeals: z.array(z.string().max(100)).max(100).default([]),
  }),
  reply: ClaimDetail,
  multiline: ['words'],
  errors: {
    notFound: 404,
    claimDecided: 409,
    /** A second operator decides a credit of this claim. */
    claimWaits: 409,
    conflict: 409,
    /** `detail.usual`: what the meal would earn. */
    largeReward: 409,
    /** `detail.networkIds`: the transactions. */
    mealEarns: 409,
  },
})

export const setClaimOwner = defineSchemas({
  summary: 'Takes an open claim, or gives it back to the queue',
  params,
  body: z.object({ owner: z.enum(['me', 'nobody']) }),
  reply: ClaimDetail,
  errors: { notFound: 404, claimDecided: 409 },
})

export const ReplyTemplate = z.object({
  id: z.string(),
  name: z.string(),
  code: z.enum(resolutions),
  words: z.string(),
})
export type ReplyTemplate = z.infer<typeof ReplyTemplate>

export const listReplyTemplates = defineSchemas({
  summary: 'Lists the replies that operators send often',
  reply: z.array(ReplyTemplate),
})

export const saveReplyTemplate = defineSchemas({
  summary: 'Adds a reply template, or changes the one of the same name',
  body: z.object({
    name: z.string().trim().min(1, 'console.claims.template_name').max(80, 'console.claims.template_name'),
    code: z.enum(resolutions, 'console.claims.outcome'),
    words: z
      .string()
      .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
      .min(1, 'console.claims.template_words')
      .max(500, 'console.claims.template_words'),
  }),
  reply: z.array(ReplyTemplate),
  multiline: ['words'],
})

export const deleteReplyTemplate = defineSchemas({
  summary: 'Removes a reply template',
  params,
  reply: z.array(ReplyTemplate),
  errors: { notFound: 404 },
})

export const getClaimReceipt = defineSchemas({
  summary: 'Returns the receipt of a claim: an image or a PDF file',
  params,
  reply: z.unknown(),
  replyType: 'application/octet-stream',
  errors: { notFound: 404 },
})
