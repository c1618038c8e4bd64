import '../src/platform/config/compile-on-main-thread.ts'
import pino from 'pino'
import { z } from 'zod'
import { nonEmptyValues } from '../src/platform/config/non-empty-values.ts'
import { createVault } from './server.ts'

// Runs the vault alone, on its own host: the app then has VAULT_URL and VAULT_API_URL.
const Settings = z.object({
  PORT: z.coerce.number().int().min(1).max(65535).default(3100),
  HOST: z.string().default('127.0.0.1'),
  VAULT_SECRET: z.string().min(43),
  VAULT_DATABASE_URL: z.url(),
  PUBLIC_ORIGIN: z.url(),
  /** Exact origins of the pages that may frame it, separated by commas. */
  PARENT_ORIGINS: z.string().transform((list) => new Set(list.split(',').map((origin) => origin.trim()))),
})

const settings = Settings.safeParse(nonEmptyValues(process.env))
if (!settings.success) {
  process.stderr.write(
    `Cannot start: ${settings.error.issues.map((issue) => issue.path.join('.')).join(', ')} wrong or missing.\n`,
  )
  process.exit(1)
}
const { data } = settings
const vault = await createVault({
  databaseUrl: data.VAULT_DATABASE_URL,
  secret: data.VAULT_SECRET,
  publicOrigin: data.PUBLIC_ORIGIN,
  parentOrigins: (origin) => data.PARENT_ORIGINS.has(origin),
  logger: pino(),
})
// For probes; inside the app the admin port serves it.
vault.get('/healthz', () => ({ status: 'ok' }))
await vault.listen({ port: data.PORT, host: data.HOST })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void vault.close())
