import type { Logger } from 'pino'
import { purgeConsoleSessions } from '../../console/operators/service.ts'
import { purgeSpentTokens } from '../../identity/bot-check/service.ts'
import { redactExpiredSecrets } from '../../identity/email/service.ts'
import { purgeFormerMembers } from '../../identity/members/service.ts'
import { purgeNotifications } from '../../identity/notifications/service.ts'
import { purgeRecoveries } from '../../identity/recovery/service.ts'
import { purgeSessions } from '../../identity/session/service.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { purgeAttempts } from '../../platform/database/attempts.ts'
import { MINUTE } from '../../platform/time.ts'
import { rotateImpressionPartitions } from '../../programs/tracking/service.ts'
import { purgeMoves } from '../../rewards/cards/service.ts'
import { purgeReceipts } from '../../rewards/claims/service.ts'
import type { Database } from '../database.ts'

interface CleanupDeps {
  settings: Settings
  database: Database
  partners: readonly string[]
  logger: Logger
}

const programJobs = [
  purgeSessions,
  purgeAttempts,
  purgeSpentTokens,
  purgeRecoveries,
  redactExpiredSecrets,
  purgeMoves,
  purgeNotifications,
  purgeReceipts,
  purgeFormerMembers,
]

/**
 * Runs the cleanup jobs now and every ten minutes, one after the other, so that they use one connection of the pool
 * however many programs there are. Returns a function that stops them and waits for the job that is running.
 */
export function startCleanupJobs({ settings, database, partners, logger }: CleanupDeps): () => Promise<void> {
  let isStopped = false
  const run = async (work: () => Promise<unknown>) => {
    if (isStopped) return
    await work().catch((error) => logger.warn({ err: error }, 'cleanup failed'))
  }
  const runAll = async () => {
    await run(() => rotateImpressionPartitions(database.pools.shared, settings.IMPRESSIONS_KEPT_MONTHS))
    await run(() => purgeConsoleSessions(database.consolePools.shared))
    for (const partnerId of partners) {
      const db = database.pools.forPartner(partnerId)
      for (const work of programJobs) await run(() => work(db))
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
