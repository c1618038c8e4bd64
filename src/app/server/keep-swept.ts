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

/** Runs the cleanup jobs now and every ten minutes. Returns a function that stops them. */
export function keepSwept({ settings, database, partners, logger }: Swept): () => void {
  const quietly = (work: Promise<unknown>) => work.catch((error) => logger.warn({ err: error }, 'sweep failed'))
  const sweep = () => {
    void quietly(sweepConsole(database.consolePools.shared))
    void quietly(turnImpressionsOver(database.pools.shared, settings.IMPRESSIONS_KEPT_MONTHS))
    for (const partnerId of partners) {
      const db = database.pools.forPartner(partnerId)
      for (const work of [
        sweepSessions,
        sweepAttempts,
        sweepSpentProofs,
        sweepRecoveries,
        blankSecrets,
        sweepMoves,
        sweepNotices,
        sweepReceipts,
        sweepMarks,
      ])
        void quietly(work(db))
    }
  }
  // Also at startup: after a long downtime, this month's partition must be created.
  sweep()
  const timer = setInterval(sweep, 10 * MINUTE).unref()
  return () => clearInterval(timer)
}
