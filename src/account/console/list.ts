import { tierNamesOf } from '../../console-kit/tier-names.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'
import { sendCsv } from '../../platform/http/send-csv.ts'
import { addDays, startOfDay } from '../../platform/time.ts'
import * as store from './list-store.ts'
import { stateOf } from './member-words.ts'
import type { Listed, MemberQuery } from './schemas.ts'

function toFilter(ctx: OperatorCtx, query: MemberQuery): store.MemberFilter {
  const { q, tier, type, joinedFrom, joinedTo, dinedFrom, dinedTo, dined, card, consent, tag, sort, cursor, limit } =
    query
  const { timeZone } = ctx.program.config
  const startOf = (day: string | undefined) => (day === undefined ? undefined : startOfDay(day, timeZone))
  const endOf = (day: string | undefined) => (day === undefined ? undefined : startOfDay(addDays(day, 1), timeZone))
  const choice = (value: 'any' | 'yes' | 'no') => (value === 'any' ? undefined : value === 'yes')
  return {
    text: q,
    tier: tier === 'any' ? undefined : tier,
    type: type === 'any' ? undefined : type,
    joinedFrom: startOf(joinedFrom),
    joinedBefore: endOf(joinedTo),
    dinedFrom: startOf(dinedFrom),
    dinedBefore: endOf(dinedTo),
    hasDined: choice(dined),
    hasCard: choice(card),
    emailConsent: choice(consent),
    tag: tag === '' ? undefined : tag,
    direction: sort === 'oldest' ? 'asc' : 'desc',
    cursor,
    limit,
  }
}

function toListed({ publicId: id, joinedAt, lastDinedAt, ...member }: store.ListedMember): Listed {
  return {
    id,
    firstName: member.firstName,
    lastName: member.lastName,
    email: member.email,
    partnerNumber: member.partnerNumber,
    tierLevel: member.tierLevel as Listed['tierLevel'],
    memberType: member.memberType as Listed['memberType'],
    active: member.active,
    isMerged: member.isMerged,
    emailOptIn: member.emailOptIn,
    joinedAt: joinedAt.toISOString(),
    lastDinedAt: lastDinedAt?.toISOString() ?? null,
    lastFours: member.lastFours,
    tags: member.tags,
  }
}

/** Returns one page of the members of a program. */
export async function listMembers(ctx: OperatorCtx, query: MemberQuery) {
  const filter = toFilter(ctx, query)
  const [{ rows, next }, total] = await Promise.all([
    store.listMembers(ctx.db, filter),
    store.countMembers(ctx.db, filter),
  ])
  return { items: rows.map(toListed), next, total }
}

/** Returns the tags that a program uses. */
export const listTags = (ctx: OperatorCtx): Promise<string[]> => store.listTags(ctx.db)

const csvColumns = [
  'Id',
  'First name',
  'Last name',
  'Email address',
  'Member number',
  'Tier',
  'Account',
  'Joined (UTC)',
  'Last dine (UTC)',
  'Cards',
  'Offers by email',
  'Tags',
] as const

const rowsAtOnce = 500

/** Yields the rows of the file of the members that a filter finds, page by page. */
export async function* readMembers(ctx: OperatorCtx, query: MemberQuery): AsyncGenerator<string[][]> {
  const filter = { ...toFilter(ctx, query), limit: rowsAtOnce }
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await store.listMembers(ctx.db, { ...filter, cursor })
    yield rows.map((row) => cellsOf(ctx, toListed(row)))
    if (next === null) return
    cursor = next
  }
}

/** Sends the members that a filter finds as a CSV file, which is read while it is sent. */
export async function exportMembers(ctx: OperatorCtx, query: MemberQuery, http: HttpContext): Promise<void> {
  const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'members', id: 'export' }, after: asked }))
  await sendCsv(http, { name: `${ctx.partnerId}-members.csv`, columns: csvColumns, pages: readMembers(ctx, query) })
}

const cellsOf = (ctx: OperatorCtx, member: Listed): string[] => [
  member.id,
  member.firstName,
  member.lastName,
  member.email,
  member.partnerNumber ?? '',
  tierNamesOf(ctx)[member.tierLevel],
  stateOf(member).label,
  member.joinedAt,
  member.lastDinedAt ?? '',
  member.lastFours.join(' '),
  member.emailOptIn ? 'Wanted' : 'Not wanted',
  member.tags.join(' '),
]
