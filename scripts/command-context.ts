import pino from 'pino'
import { createPartnerContext } from '../src/app/server/partner-context.ts'
import { deriveReturningKey } from '../src/identity/members/service.ts'
import type { Settings } from '../src/platform/config/settings.ts'
import type { Pools } from '../src/platform/database/db.ts'
import { createDatabaseListener } from '../src/platform/database/listen.ts'
import type { Ctx } from '../src/platform/http/context.ts'
import { createContentCache } from '../src/programs/content/service.ts'
import { publicConfig } from '../src/programs/partners/public-config.ts'
import { copyTokens } from '../src/programs/partners/rules.ts'
import { createFlagCache, DatabaseFlags } from '../src/programs/partners/service.ts'
import { readPrograms } from './command-line.ts'

/** Runs work in a program as the app does, without a signed-in user and with the real clock. */
export async function withProgramContext<T>(
  { pools, settings }: { pools: Pools; settings: Pick<Settings, 'APP_SECRET'> },
  partnerId: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const programs = readPrograms()
  if (!programs.has(partnerId)) throw new Error(`There is no program ${partnerId}.`)
  const log = pino({ level: 'error' }, pino.destination(2))
  const dbListener = createDatabaseListener({ url: pools.url, log })
  const partners = [partnerId]
  const onError = (err: unknown) => log.error({ err }, 'feature flags not read')
  const flags = await createFlagCache(new DatabaseFlags({ pools, dbListener, partners, onError }), programs)
  try {
    const tokens = new Map([...programs].map(([id, { config }]) => [id, copyTokens(publicConfig(config))]))
    const content = await createContentCache({ pools, dbListener, tokens, log })
    const returningKey = deriveReturningKey(settings.APP_SECRET)
    const deps = { pools, programs, content, flags, returningKey, now: () => new Date() }
    return await work(
      createPartnerContext(deps, partnerId, {
        requestId: 'command',
        address: '',
        userAgent: '',
        log,
        mayPreview: false,
        hasPreviewPass: false,
      }),
    )
  } finally {
    await flags.close()
    await dbListener.close()
  }
}

/** Draws a progress bar on a terminal. */
export function drawProgress(share: number, what: string): void {
  if (!process.stdout.isTTY) return
  const done = Math.round(Math.min(1, share) * 30)
  process.stdout.write(`\r  ${'█'.repeat(done)}${'░'.repeat(30 - done)} ${what}`)
}
