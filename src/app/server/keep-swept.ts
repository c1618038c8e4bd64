import type { Logger } from 'pino'
import { sweepConsole } from '../../console/operators/service.ts'
import { sweepSpentProofs } from '../../identity/bot-check/service.ts'
import { blankSecrets } from '../../identity/email/service.ts'
import { sweepMarks } from '../../identity/members/service.ts'
import { sweepNotices } from '../../identity/notifications/service.ts'
import { sweepRecoveries } from '../../identity/recovery/service.ts'
import { sweepSessions } from '../../identity/session/service.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { sweepAttempts } from '../../platform/database/attempts.ts'
import { MINUTE } from '../../platform/time.ts'
import { turnImpressionsOver } from '../../programs/tracking/service.ts'
import { sweepMoves } from '../../rewards/cards/service.ts'
import { sweepReceipts } from '../../rewards/claims/service.ts'
import type { Database } from '../database.ts'

interface Swept {
  settings: Settings
  database: Database
  partners: readonly string[]
  logger: Logger
}

const perProgram = [
  sweepSessions,
  sweepAttempts,
  sweepSpentProofs,
  sweepRecoveries,
  blankSecrets,
  sweepMoves,
  sweepNotices,
  sweepReceipts,
  sweepMarks,
]

/**
 * Runs the cleanup jobs now and every ten minutes, one after the other, so that they use one connection of the pool
 * however many programs there are. Returns a function that stops them and waits for the job that is running.
 */
export function keepSwept({ settings, database, partners, logger }: Swept): () => Promise<void> {
  let isStopped = false
  const run = async (work: () => Promise<unknown>) => {
    if (isStopped) return
    await work().catch((error) => logger.warn({ err: error }, 'sweep failed'))
  }
  const runAll = async () => {
    await run(() => turnImpressionsOver(database.pools.shared, settings.IMPRESSIONS_KEPT_MONTHS))
    await run(() => sweepConsole(database.consolePools.shared))
    for (const partnerId of partners) {
      const db = database.pools.forPartner(partnerId)
      for (const work of perProgram) await run(() => work(db))
    }
  }
  let running: Promise<void> | null = null
  const start = () => {
    running ??= runAll().finally(() => {
      running = null
    })
  }
  // Also at startup: after a long downtime, this month's partition must be created.
  start()
  const timer = setInterval(start, 10 * MINUTE).unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}
