import pino from 'pino'
import { contextFor } from '../src/app/server/partner-app.ts'
import type { Pools } from '../src/platform/database/db.ts'
import { createNotices } from '../src/platform/database/notices.ts'
import type { Ctx } from '../src/platform/http/context.ts'
import { createContentShelf } from '../src/programs/content/service.ts'
import { copyTokens, publicConfig } from '../src/programs/partners/rules.ts'
import { createFlagShelf, DatabaseFlags } from '../src/programs/partners/service.ts'
import { readPrograms } from './command-line.ts'

/** Runs work in a program as the app does, without a signed-in user and with the real clock. */
export async function inProgram<T>(pools: Pools, partnerId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const programs = readPrograms()
  if (!programs.has(partnerId)) throw new Error(`There is no program ${partnerId}.`)
  const log = pino({ level: 'error' }, pino.destination(2))
  const notices = createNotices({ url: pools.url, log })
  const partners = [partnerId]
  const onError = (err: unknown) => log.error({ err }, 'switches not read')
  const flags = await createFlagShelf(new DatabaseFlags({ pools, notices, partners, onError }), programs)
  try {
    const tokens = new Map([...programs].map(([id, { config }]) => [id, copyTokens(publicConfig(config))]))
    const content = await createContentShelf({ pools, notices, tokens, log })
    const parts = { pools, programs, content, flags, now: () => new Date() }
    return await work(
      contextFor(parts, partnerId, { requestId: 'command', address: '', userAgent: '', log, mayPreview: false }),
    )
  } finally {
    await flags.close()
    await notices.close()
  }
}

/** Draws a progress bar on a terminal. */
export function drawProgress(share: number, what: string): void {
  if (!process.stdout.isTTY) return
  const done = Math.round(Math.min(1, share) * 30)
  process.stdout.write(`\r  ${'█'.repeat(done)}${'░'.repeat(30 - done)} ${what}`)
}
