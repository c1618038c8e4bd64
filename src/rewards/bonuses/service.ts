import type { ActiveBonus } from '../../identity/members/contract.ts'
import { hashPerson, lockOwnMember } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { addDays, startOfDay } from '../../platform/time.ts'
import type { Bonus, PublicConfig } from '../../programs/partners/contract.ts'
import { dayOf } from '../../programs/partners/rules.ts'
import { type BonusPeriod, type BonusTerms, isInjected, newMemberPeriodMs } from './rules.ts'
import * as store from './store.ts'

export { type EarnedElsewhere, listEarnedElsewhere } from './earned-elsewhere.ts'
export { deleteUnearned, findBonusHolders, moveBonus, setQualified } from './store.ts'

interface Joined {
  id: number
  joined_at: Date
  enrollment_source: string | null
  has_returned: boolean
  email: string
  partner_number: string | null
}

/** Returns a member's bonuses: activated ones, and those that can be activated. */
export async function readBonuses(ctx: Ctx, member: Joined): Promise<ActiveBonus[]> {
  const { bonuses, timeZone } = ctx.program.config
  if (bonuses.length === 0) return []
  const [own, isNew] = [await store.listBonuses(ctx.db, member.id), await isNewMember(ctx.db, member, ctx.now())]
  const activated = own.map((row) => ({
    code: row.code,
    bonusStatus: row.status as 'Enrolled' | 'Qualified',
    createDateUtc: row.offered_at.toISOString(),
    isNewMemberBonus: bonuses.find(({ code }) => code === row.code)?.newMembers ?? false,
    description: (row.terms as unknown as BonusTerms).description,
    memberIsEligibleForNMB: isNew,
  }))
  const known = new Set([...own.map(({ code }) => code), ...(await findEarnedByPerson(ctx.db, ctx, member))])
  const today = dayOf({ timeZone }, ctx.now())
  const eligible = bonuses
    .filter((bonus) => !known.has(bonus.code) && !bonus.injectedOnly && isRunning(bonus, today))
    .filter((bonus) => !bonus.newMembers || isNew)
    .map((bonus) => ({
      code: bonus.code,
      bonusStatus: 'Eligible' as const,
      createDateUtc: offeredAt(bonus, member, timeZone).toISOString(),
      isNewMemberBonus: bonus.newMembers,
      description: bonus.description,
      memberIsEligibleForNMB: isNew,
    }))
  return [...activated, ...eligible]
}

function isRunning({ startsOn, endsOn }: Bonus, today: string): boolean {
  return startsOn <= today && (endsOn === undefined || today <= endsOn)
}

/** Returns the codes of the bonuses that a member has earned in an account that is deleted. */
async function findEarnedByPerson(db: Db | Tx, { returningKey }: Ctx, member: Joined): Promise<string[]> {
  if (!member.has_returned) return []
  const { email, partner_number: partnerNumber } = member
  return store.listEarnedByHash(db, hashPerson(returningKey, { email, partnerNumber }))
}

/** Returns when a bonus became available to a member: on joining, or at its start. */
function offeredAt({ startsOn }: Bonus, { joined_at }: Pick<Joined, 'joined_at'>, timeZone: string): Date {
  return new Date(Math.max(startOfDay(startsOn, timeZone).getTime(), joined_at.getTime()))
}

async function isNewMember(db: Db | Tx, member: Joined, now: Date): Promise<boolean> {
  if (now.getTime() - member.joined_at.getTime() > newMemberPeriodMs) return false
  return !member.has_returned && !(await store.hasEarned(db, member.id))
}

/**
 * Activates a bonus for the signed-in member, under its current terms; an active one stays. Throws error codes
 * `bonusNotFound` and `bonusNotOffered` (not running, not for this member, or earned in an earlier account). `inApp`: called by our native app.
 */
export async function activateBonus(ctx: MemberCtx, code: string, { inApp }: { inApp: boolean }): Promise<true> {
  const bonus = ctx.program.config.bonuses.find((each) => each.code === code)
  if (!bonus) throw new ApiError('bonusNotFound')
  const memberId = ctx.actor.memberId
  return inTransaction(ctx.db, async (tx): Promise<true> => {
    const member = await lockOwnMember(tx, ctx)
    const own = await store.listBonuses(tx, memberId)
    if (own.some((row) => row.code === code)) return true
    if (!(await isAvailableTo(tx, ctx, bonus, member, inApp))) throw new ApiError('bonusNotOffered')
    await insertCurrent(tx, ctx, bonus, member)
    await audit(tx, ctx, { action: 'bonus.activated', memberId, detail: { code } })
    return true
  })
}

/** Gives a member a bonus under its current terms. Returns false when the member already has it. */
function insertCurrent(tx: Tx, ctx: Ctx, bonus: Bonus, member: Joined): Promise<boolean> {
  const { code, amount, description, dines, withinDays, distinctPlaces, minimumCents, days, from, until, newMembers } =
    bonus
  const terms = {
    code,
    amount,
    description,
    dines,
    withinDays,
    distinctPlaces,
    minimumCents,
    days,
    from,
    until,
    newMembers,
  }
  return store.insertBonus(tx, {
    publicId: publicId(),
    memberId: member.id,
    code,
    terms,
    offeredAt: offeredAt(bonus, member, ctx.program.config.timeZone),
    enrolledAt: ctx.now(),
  })
}

/**
 * Grants a bonus that the member could not activate, such as one of new members. It counts from now on, under its current
 * terms. The caller holds the member's lock. Throws `bonusNotFound`, `bonusNotOffered` (not running, or earned in an
 * earlier account), `bonusHeld`.
 */
export async function grantBonus(tx: Tx, ctx: Ctx, member: Joined, code: string): Promise<void> {
  const { config } = ctx.program
  const bonus = config.bonuses.find((each) => each.code === code)
  if (!bonus) throw new ApiError('bonusNotFound')
  if (!isRunning(bonus, dayOf(config, ctx.now()))) throw new ApiError('bonusNotOffered')
  if ((await findEarnedByPerson(tx, ctx, member)).includes(code)) throw new ApiError('bonusNotOffered')
  if (!(await insertCurrent(tx, ctx, bonus, member))) throw new ApiError('bonusHeld')
  await audit(tx, ctx, { action: 'bonus.granted', memberId: member.id, detail: { code } })
}

async function isAvailableTo(tx: Tx, ctx: Ctx, bonus: Bonus, member: Joined, inApp: boolean): Promise<boolean> {
  const [now, { config }] = [ctx.now(), ctx.program]
  if (!isRunning(bonus, dayOf(config, now))) return false
  if (bonus.newMembers && !(await isNewMember(tx, member, now))) return false
  if ((await findEarnedByPerson(tx, ctx, member)).includes(bonus.code)) return false
  if (!bonus.injectedOnly) return true
  const person = {
    enrollmentSource: member.enrollment_source,
    joinDate: dayOf(config, member.joined_at),
  }
  return config.injectedBonuses.some(
    (injected) =>
      injected.code === bonus.code &&
      (inApp || !injected.appOnly) &&
      isInjected(injected, person, { now, timeZone: config.timeZone }),
  )
}

/** Returns the period of an activated bonus: its last day is counted by the program's calendar. */
export function periodOf(config: Pick<PublicConfig, 'timeZone'>, { terms, enrolledAt }: ActivatedBonus): BonusPeriod {
  return { from: enrolledAt, lastDay: addDays(dayOf(config, enrolledAt), terms.withinDays) }
}

export interface ActivatedBonus {
  id: number
  publicId: string
  code: string
  terms: BonusTerms
  enrolledAt: Date
  qualifiedAt: Date | null
}

/** Returns a member's activated bonuses, with the terms of the activation. */
export async function listActivatedBonuses(tx: Db | Tx, memberId: number): Promise<ActivatedBonus[]> {
  const rows = await store.listBonuses(tx, memberId)
  return rows.map((row) => ({
    id: row.id,
    publicId: row.public_id,
    code: row.code,
    terms: row.terms as unknown as BonusTerms,
    enrolledAt: row.enrolled_at,
    qualifiedAt: row.qualified_at,
  }))
}
