import { hashCard, hashPerson } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { RewardUnit } from '../earning/terms.ts'
import { type DebtStep, type OtherAccount, planClosedAccount, planOpenAccount, type RelatedDebt } from './rules.ts'
import * as store from './store.ts'
import { listTakenBack } from './taken-back.ts'

const noBalances: ReadonlyMap<RewardUnit, number> = new Map()

/** Returns what an account has to post now; empty for almost every one. Writes nothing. */
export async function planAccount(tx: Tx, ctx: Ctx, account: store.Account): Promise<DebtStep[]> {
  return account.isDeleted ? planClosed(tx, ctx, account.id) : planOpen(tx, ctx, account)
}

async function planClosed(tx: Tx, ctx: Ctx, memberId: number): Promise<DebtStep[]> {
  const balances = (await store.listBalances(tx, [memberId])).get(memberId)
  if (!balances) return []
  // Only what is above zero can settle the debts of others.
  const hasRest = [...balances.values()].some((balance) => balance > 0)
  const former = hasRest ? await store.findRelatedOfDeleted(tx, memberId) : []
  const related = await loadRelated(tx, ctx.returningKey, { memberId, former, proved: new Set(), cardsOfOthers: [] })
  return planClosedAccount({ memberId, balances, ...related })
}

async function planOpen(tx: Tx, ctx: Ctx, account: store.Account): Promise<DebtStep[]> {
  const key = ctx.returningKey
  const cards = await store.listLinkedCards(tx, [account.id])
  const fingerprints = cards.map(({ fingerprint }) => fingerprint)
  const [former, cardsOfOthers] = await Promise.all([
    store.findFormerAccounts(tx, [...hashPerson(key, account), ...fingerprints.map((each) => hashCard(key, each))]),
    store.listCardsOfOthers(tx, account.id, fingerprints),
  ])
  const { isEmailVerified, partnerNumber } = account
  const provedHashes = hashPerson(key, { email: isEmailVerified ? account.email : undefined, partnerNumber })
  const isProved = new Set(provedHashes.map((hash) => hash.toString('hex')))
  const proved = new Set(former.filter(({ hash }) => isProved.has(hash)).map(({ memberId }) => memberId))
  const related = await loadRelated(tx, key, { memberId: account.id, former, proved, cardsOfOthers })
  if (related.debts.length === 0) return []
  const balances = (await store.listBalances(tx, [account.id])).get(account.id) ?? noBalances
  return planOpenAccount({ memberId: account.id, balances, ...related })
}

interface RelatedAccounts {
  memberId: number
  /** The deleted accounts of the same person (without a card), or that had one of its cards. */
  former: readonly Pick<store.FormerAccount, 'memberId' | 'cardId'>[]
  /** Those of the person by a verified address, or by the member number: the rewards were credited to it. */
  proved: ReadonlySet<number>
  /** Of the cards that are linked here, those of open accounts that have had them. */
  cardsOfOthers: readonly store.CardOfMember[]
}

/** Returns the debts that concern an account, and the open accounts that owe or carry them. */
async function loadRelated(
  tx: Tx,
  key: Buffer,
  { memberId: id, former, proved, cardsOfOthers }: RelatedAccounts,
): Promise<{ debts: RelatedDebt[]; others: OtherAccount[] }> {
  const persons = new Set(former.filter(({ cardId }) => cardId === null).map(({ memberId }) => memberId))
  /** The accounts that had a card which is linked here, with their ids of it. */
  const cardIds = Map.groupBy(
    [
      ...former.flatMap(({ memberId, cardId }) => (cardId === null ? [] : [{ memberId, cardId }])),
      ...cardsOfOthers.map(({ memberId, id: cardId }) => ({ memberId, cardId })),
    ],
    ({ memberId }) => memberId,
  )
  const found = await store.listDebts(tx, {
    origins: [id, ...persons, ...cardIds.keys()],
    carriers: [id, ...persons],
  })
  const takenBack = await listTakenBack(
    tx,
    [...cardIds.values()].flat().map(({ cardId }) => cardId),
  )
  const cardPart = (originId: number, unit: RewardUnit) => {
    const ids = new Set(cardIds.get(originId)?.map(({ cardId }) => cardId))
    return takenBack
      .filter((each) => each.unit === unit && ids.has(each.cardId))
      .reduce((sum, each) => sum + each.amount, 0)
  }
  // What an open account owes for a card that is linked here has not left it yet.
  const owing = [...new Set(cardsOfOthers.map(({ memberId }) => memberId))]
  const carriers = found.flatMap(({ carried }) => [...carried.keys()])
  const others = await loadOthers(tx, key, { except: id, ids: [...owing, ...carriers], cardIds })
  const isOf = (accounts: ReadonlySet<number>, { originId, carried }: Pick<RelatedDebt, 'originId' | 'carried'>) =>
    accounts.has(originId) || [...carried.keys()].some((carrier) => accounts.has(carrier))
  const debts = [...found, ...notYetLeft(found, others, owing)].map((debt) => ({
    ...debt,
    isOwnPerson: isOf(persons, debt),
    isProvedPerson: isOf(proved, debt),
    cardPart: cardPart(debt.originId, debt.unit),
  }))
  return { debts, others }
}

function notYetLeft(found: readonly store.DebtRow[], others: readonly OtherAccount[], owing: readonly number[]) {
  return others
    .filter(({ memberId }) => owing.includes(memberId))
    .flatMap(({ memberId, balances }) =>
      [...balances]
        .filter(
          ([unit, balance]) => balance < 0 && !found.some((debt) => debt.originId === memberId && debt.unit === unit),
        )
        .map(([unit]) => ({ originId: memberId, unit, open: 0, carried: new Map<number, number>() })),
    )
}

interface OthersRequest {
  except: number
  ids: readonly number[]
  cardIds: ReadonlyMap<number, unknown>
}

/** Returns open accounts with their balances, and which debts concern a card that is linked there. */
async function loadOthers(tx: Tx, key: Buffer, { except, ids, cardIds }: OthersRequest): Promise<OtherAccount[]> {
  const wanted = [...new Set(ids)].filter((id) => id !== except)
  if (wanted.length === 0) return []
  const [open, balances, linked, formerHashes, ofOrigins] = await Promise.all([
    store.listOpenAccounts(tx, wanted),
    store.listBalances(tx, wanted),
    store.listLinkedCards(tx, wanted),
    store.listFormerCardHashes(tx, [...cardIds.keys()]),
    store.listCards(tx, [...cardIds.keys()]),
  ])
  const hashes = [
    ...formerHashes.map(({ memberId, hash }) => ({ memberId, hash })),
    ...ofOrigins.map(({ memberId, fingerprint }) => ({ memberId, hash: hashCard(key, fingerprint).toString('hex') })),
  ]
  return open.map((memberId) => {
    const own = new Set(
      linked
        .filter((card) => card.memberId === memberId)
        .map(({ fingerprint }) => hashCard(key, fingerprint).toString('hex')),
    )
    const origins = hashes.filter(({ memberId: originId, hash }) => originId !== memberId && own.has(hash))
    return {
      memberId,
      balances: balances.get(memberId) ?? noBalances,
      hasCardOf: new Set(origins.map(({ memberId: originId }) => originId)),
    }
  })
}
