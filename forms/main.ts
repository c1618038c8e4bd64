import '../src/platform/config/compile-on-main-thread.ts'
import pino from 'pino'
import { z } from 'zod'
import { nonEmptyValues } from '../src/platform/config/non-empty-values.ts'
import { loadPrograms, ProgramError } from '../src/programs/partners/load-programs.ts'
import type { FormOwner } from './owner.ts'
import { createForms } from './server.ts'

// Runs the form service alone, on its own host; the app then has FORMS_URL.
const Settings = z.object({
  PORT: z.coerce.number().int().min(1).max(65535).default(3200),
  HOST: z.string().default('127.0.0.1'),
  FORMS_DATABASE_URL: z.url(),
  PROGRAMS_DIR: z.string().default('programs'),
  /** Origin of a program's pages; `*` is replaced by the program code: https://*.example.com */
  APP_ORIGINS: z.string().includes('*'),
  /** Key that signs calls to programs; the programs use a setting of the same name. Without it there are no reviews. */
  REVIEW_KEY: z.string().min(43).optional(),
  TRUSTED_PROXY: z.string().optional(),
})

const settings = Settings.safeParse(nonEmptyValues(process.env))
if (!settings.success) {
  const names = settings.error.issues.map((issue) => issue.path.join('.'))
  process.stderr.write(`Cannot start: ${names.join(', ')} wrong or missing.\n`)
  process.exit(1)
}
const { data } = settings
const programs = (() => {
  try {
    return loadPrograms(data.PROGRAMS_DIR)
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    process.stderr.write(`Cannot start: ${error.message}\n`)
    process.exit(1)
  }
})()
function toFormOwner(code: string, list: FormOwner['forms']): FormOwner {
  const appOrigin = data.APP_ORIGINS.replace('*', code)
  const key = data.REVIEW_KEY
  return { appOrigin, forms: list, ...(key && { reviews: { callbackUrl: `${appOrigin}/api/reviews/callback`, key } }) }
}

const forms = await createForms({
  databaseUrl: data.FORMS_DATABASE_URL,
  owners: new Map(
    [...programs.values()].flatMap(({ config, forms: list }) =>
      config.formServiceCode ? [[config.formServiceCode, toFormOwner(config.code, list)] as const] : [],
    ),
  ),
  scheme: data.APP_ORIGINS.startsWith('https:') ? 'https' : 'http',
  trustedProxy: data.TRUSTED_PROXY,
  logger: pino(),
})
// For probes; inside the app the admin port serves it.
forms.get('/healthz', () => ({ status: 'ok' }))
await forms.listen({ port: data.PORT, host: data.HOST })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void forms.close())
