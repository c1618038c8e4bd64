import type { Permission } from '../../console-kit/permissions.ts'
import type { InstallationCtx, OperatorCtx } from '../../platform/http/operator.ts'
import { addDays, dayIn, startOfDay } from '../../platform/time.ts'
import { matchingDays } from '../../rewards/awards/pending.ts'
import { smallestGroup } from '../reports/names.ts'
import type { Home } from './contract.ts'
import * as store from './store.ts'

type TaskKind = Home['tasks'][number]['kind']

/** The permission with which an operator sees each task. */
const permissionOf: Readonly<Record<TaskKind, Permission>> = {
  lateClaims: 'claims.read',
  lateUnmatched: 'transactions.read',
  claims: 'claims.read',
  approvals: 'approvals.decide',
  unmatched: 'transactions.read',
  payouts: 'payouts.read',
  deadLetters: 'jobs.read',
  emails: 'emails.read',
  files: 'feed.read',
  invoices: 'settlement.read',
}

/** Returns what waits for the operator in a program, and its week. */
export async function getHome(ctx: OperatorCtx): Promise<Home> {
  const [counts, week, lastFeedAt] = await Promise.all([
    store.countTasks(ctx.db, {
      now: ctx.now(),
      today: dayIn(ctx.now(), ctx.program.config.timeZone),
      matchingDays,
      operatorId: ctx.operator.id,
    }),
    ctx.may('reports.read') ? getWeek(ctx) : null,
    ctx.may('feed.read') ? store.findLastMessage(ctx.db) : null,
  ])
  const tasks = (Object.keys(permissionOf) as TaskKind[])
    .filter((kind) => counts[kind] > 0 && ctx.may(permissionOf[kind]))
    .map((kind) => ({ kind, count: counts[kind] }))
  return { program: ctx.partnerId, tasks, week, lastFeedAt: lastFeedAt?.toISOString() ?? null }
}

/** Days of the program, the last one being yesterday: figures of past days no longer change with the hour. */
async function getWeek(ctx: OperatorCtx): Promise<Home['week']> {
  const { timeZone } = ctx.program.config
  const today = dayIn(ctx.now(), timeZone)
  const [from, before] = [addDays(today, -7), addDays(today, -14)]
  const start = (day: string) => startOfDay(day, timeZone)
  const [now, earlier] = await Promise.all([
    store.sumFigures(ctx.db, start(from), start(today)),
    store.sumFigures(ctx.db, start(before), start(from)),
  ])
  // As in reports, figures of fewer than ten people are only for those who see each transaction anyway.
  if (!ctx.may('transactions.read') && Math.min(now.diners, earlier.diners) < smallestGroup) return null
  const kinds = ['dines', 'spendCents', 'rewards', 'revenueCents', 'members', 'cards'] as const
  return {
    from,
    to: addDays(today, -1),
    figures: kinds.map((kind) => ({ kind, now: now[kind], before: earlier[kind] })),
  }
}

/** Returns the home of each program in which the operator may do something. */
export async function listHomes(ctx: InstallationCtx): Promise<Home[]> {
  const programs = new Set(Object.values(permissionOf).flatMap((permission) => ctx.programsWith(permission)))
  return Promise.all([...programs].map((partnerId) => getHome(ctx.inProgram(partnerId))))
}
