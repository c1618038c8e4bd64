import type { Logger } from 'pino'
import { sweepSpentProofs } from '../../bot-check/service.ts'
import { sweepMoves } from '../../cards/service.ts'
import { sweepReceipts } from '../../claims/service.ts'
import { sweepAttempts } from '../../kit/server/attempts.ts'
import type { Settings } from '../../kit/server/settings.ts'
import { MINUTE } from '../../kit/time.ts'
import { blankSecrets } from '../../mail/service.ts'
import { sweepMarks } from '../../members/service.ts'
import { sweepNotices } from '../../notices/service.ts'
import { sweepConsole } from '../../operators/service.ts'
import { sweepRecoveries } from '../../recovery/service.ts'
import { sweepSessions } from '../../session/service.ts'
import { turnImpressionsOver } from '../../tracking/service.ts'
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
