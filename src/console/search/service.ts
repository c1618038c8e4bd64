import { findFewMembers } from '../../account/console/list-store.ts'
import { termsOf } from '../../identity/members/service.ts'
import type { InstallationCtx, OperatorCtx } from '../../platform/http/operator.ts'
import { findTransactions } from '../../rewards/activity/console/store.ts'
import { searchProgram as searchCall } from './contract.ts'
import type { Found } from './schemas.ts'
import { findFewClaims, findFewRestaurants } from './store.ts'

/** Entries of each kind: the list of the kind has all. */
const few = 5

/** Returns a few of what a text means in a program, of what the operator may read there. */
export async function searchProgram(ctx: OperatorCtx, q: string): Promise<Found> {
  const { db } = ctx
  const [members, transactions, restaurants, claims] = await Promise.all([
    ctx.may('members.read') ? findFewMembers(db, q, few) : [],
    ctx.may('transactions.read') ? findTransactions(db, termsOf(q).lastFour ?? q, few) : [],
    ctx.may('restaurants.read') ? findFewRestaurants(db, q, few) : [],
    ctx.may('claims.read') ? findFewClaims(db, q, few) : [],
  ])
  return {
    program: ctx.partnerId,
    members: members.map(({ publicId, memberType, ...member }) => ({
      ...member,
      id: publicId,
      memberType: memberType as Found['members'][number]['memberType'],
    })),
    transactions: transactions.map(({ id, merchantName, dinedAt, cents, cardLastFour }) => ({
      id,
      merchantName,
      at: dinedAt.toISOString(),
      cents,
      lastFour: cardLastFour,
    })),
    restaurants,
    claims,
  }
}

/** Returns the same for each program in which the operator may read any of it. */
export async function searchPrograms(ctx: InstallationCtx, q: string): Promise<Found[]> {
  const programs = new Set(searchCall.permission.flatMap((permission) => ctx.programsWith(permission)))
  return Promise.all([...programs].map((partnerId) => searchProgram(ctx.inProgram(partnerId), q)))
}
