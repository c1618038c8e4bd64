import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { listOf, pageQuery } from '../../../platform/list-call.ts'

export const UnmatchedTransaction = z.object({
  id: z.string(),
  merchantName: z.string(),
  cents: z.number().int(),
  cardLastFour: z.string(),
  dinedAt: z.iso.datetime(),
  missing: z.enum(['card', 'merchant']),
  /** Until then it waits by itself; afterwards it earns nothing unless it is attached. */
  waitsUntil: z.iso.datetime(),
  /** Set aside by an operator. */
  ignored: z.object({ by: z.string(), at: z.iso.datetime(), reason: z.string() }).nullable(),
})
export type UnmatchedTransaction = z.infer<typeof UnmatchedTransaction>

export const listUnmatched = defineSchemas({
  summary:
    'Lists transactions whose card or restaurant is unknown by deadline, or those that were set aside, the latest first',
  query: z.object({
    ...pageQuery,
    /** Late ones are open, and wait no longer by themselves. */
    state: z.enum(['open', 'late', 'ignored']).default('open'),
    missing: z.enum(['any', 'merchant', 'card']).default('any'),
    q: z.string().max(120).optional(),
  }),
  reply: listOf(UnmatchedTransaction),
})

const params = z.object({ id: z.string().max(60) })

const LikelyRestaurant = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  isParticipating: z.boolean(),
  why: z.array(z.string()),
})
export type LikelyRestaurant = z.infer<typeof LikelyRestaurant>

const LikelyCard = z.object({
  id: z.string(),
  memberName: z.string(),
  memberId: z.string(),
  label: z.string(),
  why: z.array(z.string()),
})

export const UnmatchedDetail = UnmatchedTransaction.extend({
  networkId: z.string(),
  locationId: z.string(),
  address: z.string(),
  /** The restaurant; null while it is unknown. */
  restaurantName: z.string().nullable(),
  memberName: z.string().nullable(),
  /** Transactions that wait for the same restaurant or the same card, this one included. */
  waiting: z.number().int(),
  restaurants: z.array(LikelyRestaurant),
  cards: z.array(LikelyCard),
})
export type UnmatchedDetail = z.infer<typeof UnmatchedDetail>

export const getUnmatched = defineSchemas({
  summary: 'Returns an unmatched transaction with the restaurants and cards that it probably belongs to',
  params,
  reply: UnmatchedDetail,
  errors: { notFound: 404 },
})

export const findRestaurants = defineSchemas({
  summary: 'Finds restaurants by the beginning of their names, or by id',
  query: z.object({ q: z.string().trim().min(2, 'console.feed.search').max(80, 'console.feed.search') }),
  reply: z.array(LikelyRestaurant),
})

const Target = z.object({ kind: z.enum(['restaurant', 'card']), id: z.string().min(1).max(100) })

/** What a transaction would earn, or earns now. */
const Effect = z.object({
  id: z.string(),
  merchantName: z.string(),
  memberName: z.string().nullable(),
  cents: z.number().int(),
  dinedAt: z.iso.datetime(),
  reward: z.string(),
  awardStatus: z.string(),
  /** In the words that the member reads. */
  words: z.string(),
})

export const AttachPreview = z.object({
  /** How many transactions change. */
  count: z.number().int(),
  /** The sum of their rewards, as text. */
  reward: z.string(),
  /** Of it what is posted at once, as text. */
  posted: z.string(),
  /** The first ones. */
  examples: z.array(Effect),
  /** Names this outcome: sent back, it makes sure that the act does what was shown. */
  fingerprint: z.string(),
})
export type AttachPreview = z.infer<typeof AttachPreview>

export const previewAttach = defineSchemas({
  summary: 'Returns what would change if a transaction were attached. Stores nothing',
  params,
  body: z.object({ target: Target }),
  reply: AttachPreview,
  errors: { notFound: 404, conflict: 409, setAside: 409, sharedRestaurant: 403, tooMuchAlone: 403 },
})

export const attachTransaction = defineSchemas({
  summary:
    'Attaches a transaction, and all that wait for the same, to a restaurant or a card, and posts what they earn',
  params,
  body: z.object({ target: Target, reason, fingerprint: z.string().max(100) }),
  multiline: ['reason'],
  reply: AttachPreview,
  errors: { notFound: 404, conflict: 409, setAside: 409, sharedRestaurant: 403, tooMuchAlone: 403 },
})

export const ignoreTransaction = defineSchemas({
  summary: 'Sets an unmatched transaction aside',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: UnmatchedDetail,
  errors: { notFound: 404, conflict: 409 },
})

export const restoreTransaction = defineSchemas({
  summary: 'Puts a transaction that was set aside back into the queue',
  params,
  reply: UnmatchedDetail,
  errors: { notFound: 404, conflict: 409 },
})

const count = z.number().int()

const tally = { applied: count, unmatched: count, repeated: count, ignored: count, rejected: count }

const Fault = z.object({ line: count, code: z.string(), texts: z.array(z.string()) })

export const FeedFile = z.object({
  id: z.string(),
  name: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** Lines with a message: neither the heading of a CSV file nor an empty line. */
  lines: count,
  ...tally,
  /** Of a file that was uploaded in the console; null for one of the command line. */
  upload: z
    .object({
      by: z.string(),
      at: z.iso.datetime(),
      isWaiting: z.boolean(),
      /** Why it could not be read. */
      failure: z.string().nullable(),
    })
    .nullable(),
})
export type FeedFile = z.infer<typeof FeedFile>

export const listFeedFiles = defineSchemas({
  summary: 'Lists files of the card feed with their results, the latest first',
  query: z.object({
    ...pageQuery,
    q: z.string().max(120).optional(),
    /** Stuck: begun more than an hour ago, and not read to its end. */
    state: z.enum(['any', 'stuck']).default('any'),
  }),
  reply: listOf(FeedFile),
})

export const FeedFileDetail = FeedFile.extend({
  /** The first thousand rejected lines; all are in the CSV file. */
  faults: z.array(Fault),
})
export type FeedFileDetail = z.infer<typeof FeedFileDetail>

export const getFeedFile = defineSchemas({
  summary: 'Returns the results of a file with its rejected lines',
  params,
  reply: FeedFileDetail,
  errors: { notFound: 404 },
})

export const exportFaults = defineSchemas({
  summary: 'Returns every rejected line of a file as a CSV file',
  params,
  reply: z.unknown(),
  replyType: 'text/csv',
  errors: { notFound: 404 },
})

/** The name says what kind of file it is. */
const file = z.object({
  name: z
    .string()
    .trim()
    .max(120, 'console.feed.file_name')
    .regex(/\.(csv|ndjson|jsonl)$/i, 'console.feed.file_name'),
})

const fileErrors = { unreadableFile: 422, fileKnown: 409, cardNumberInFile: 422 } as const

export const checkFeedFile = defineSchemas({
  summary: 'Reads an uploaded file and returns what its import would do. Stores nothing',
  query: file,
  bodyType: 'application/octet-stream',
  reply: z.object({
    lines: count,
    ...tally,
    faults: z.array(Fault),
    isKnown: z.boolean(),
    /** The first line with a card number, for which the whole file is refused; null without any. */
    cardNumberLine: count.nullable(),
  }),
  errors: fileErrors,
})

export const uploadFeedFile = defineSchemas({
  summary: 'Stores a file; a job imports it',
  query: file,
  bodyType: 'application/octet-stream',
  reply: FeedFileDetail,
  errors: fileErrors,
})

export const replayFile = defineSchemas({
  summary: 'Imports an uploaded file again from its first line. Messages that were applied change nothing',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: FeedFileDetail,
  errors: { notFound: 404, conflict: 409, fileGone: 409 },
})

const Span = z
  .object({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'console.feed.span')

export const previewReplay = defineSchemas({
  summary: 'Returns what replaying the messages of a span of time would change. Stores nothing',
  body: z.object({ span: Span }),
  reply: AttachPreview,
  errors: { tooManyMessages: 422 },
})

export const replaySpan = defineSchemas({
  summary: 'Folds and decides the messages of a span of time again',
  body: z.object({ span: Span, reason, fingerprint: z.string().max(100) }),
  multiline: ['reason'],
  reply: AttachPreview,
  errors: { tooManyMessages: 422, conflict: 409 },
})

export const previewReplayOfTransaction = defineSchemas({
  summary: 'Returns what replaying the messages of a transaction would change. Stores nothing',
  params,
  reply: AttachPreview,
  errors: { notFound: 404 },
})

export const replayTransaction = defineSchemas({
  summary: 'Folds and decides the messages of a transaction again',
  params,
  body: z.object({ reason, fingerprint: z.string().max(100) }),
  multiline: ['reason'],
  reply: AttachPreview,
  errors: { notFound: 404, conflict: 409 },
})

const outcome = z.enum(['applied', 'unmatched', 'ignored'])

export const ListedMessage = z.object({
  id: z.string(),
  /** The network's id of the purchase or refund. */
  networkId: z.string(),
  /** Kind of message: `transaction.clearing`. */
  event: z.string(),
  receivedAt: z.iso.datetime(),
  /** When the network wrote it. */
  updatedAt: z.iso.datetime(),
  outcome,
  merchantName: z.string(),
  cents: z.number().int(),
})
export type ListedMessage = z.infer<typeof ListedMessage>

export const listFeedMessages = defineSchemas({
  summary: 'Lists the messages of the card network that were stored, the latest first',
  query: z.object({
    ...pageQuery,
    outcome: z.enum(['any', ...outcome.options]).default('any'),
    /** The network's id of a purchase or refund, as a whole. */
    q: z.string().max(120).optional(),
    /** Days of arrival in the program, the last one included. */
    from: Day.optional(),
    to: Day.optional(),
  }),
  reply: listOf(ListedMessage),
})

export const FeedMessageDetail = ListedMessage.extend({
  /** The transaction that it is a part of; null while there is none. */
  transaction: z.string().nullable(),
  /** Indented JSON in which the card's token and secrets are masked. */
  body: z.string(),
})
export type FeedMessageDetail = z.infer<typeof FeedMessageDetail>

export const getFeedMessage = defineSchemas({
  summary: 'Returns a stored message of the card network, with its raw text masked',
  params: z.object({ id: z.string().max(800) }),
  reply: FeedMessageDetail,
  errors: { notFound: 404 },
})
