import pg from 'pg'
import { PostgresStartError } from '../embedded-postgres/cluster.ts'
import {
  type ProgramSettings,
  programSettings,
  readSettings,
  type SecretName,
  type Settings,
  SettingsError,
} from '../platform/config/settings.ts'
import { LoginError, RolesError } from '../platform/database/logins.ts'
import { MigrationError } from '../platform/database/migrate.ts'
import type { Program } from '../programs/partners/context.ts'
import { loadPrograms, ProgramError } from '../programs/partners/load-programs.ts'
import { isSample } from '../programs/partners/rules.ts'
import { DataFolderError } from './data-folder.ts'
import { PortTakenError } from './server/check-port.ts'
import { AdminPortError } from './server/listen-admin.ts'

type Env = Record<string, string | undefined>

/**
 * Reads the settings and the served programs. Throws SettingsError with all errors in both, so that an administrator
 * sees them in one list.
 */
export function loadStartConfig(
  env: Env,
  developmentSecrets: () => Record<SecretName, string>,
): { settings: Settings; programs: Map<string, Program> } {
  const problems: string[] = []
  const settings = collectProblems(problems, () => readSettings(env, developmentSecrets))
  const programs = collectProblems(problems, () => loadServedPrograms(programSettings(env)))
  if (!settings || !programs) throw new SettingsError(problems)
  return { settings, programs }
}

/**
 * Returns what an administrator can correct, without a stack trace: a wrong setting or program folder, a file or an
 * address that cannot be used, a login that the database rejects, a migration that cannot be applied. Returns null for
 * any other error.
 */
export function configurationMessage(error: unknown): string | null {
  if (knownErrors.some((known) => error instanceof known)) return (error as Error).message
  if (error instanceof MigrationError) return `Cannot start: ${error.message}.`
  // One error for each address of a host name.
  if (error instanceof AggregateError) return configurationMessage(error.errors[0])
  if (!(error instanceof Error)) return null
  const { syscall, code = '' } = error as NodeJS.ErrnoException
  // PostgreSQL's class 28 is a rejected login, 3D a database that does not exist, 53 a full disk or too many connections.
  const isRejected = error instanceof pg.DatabaseError && /^(28|3D|53)/.test(code)
  return syscall || isRejected ? `Cannot start: ${error.message}. See .env.example.` : null
}

const knownErrors = [
  SettingsError,
  ProgramError,
  PortTakenError,
  AdminPortError,
  RolesError,
  LoginError,
  DataFolderError,
  PostgresStartError,
]

function collectProblems<T>(problems: string[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SettingsError) problems.push(...error.problems)
    else if (error instanceof ProgramError) problems.push(...error.message.split('\n'))
    else throw error
    return undefined
  }
}

// In production, a sample program is served only when SAMPLE_PROGRAMS names it.
function loadServedPrograms({ production, directory, sampleBank, samplePrograms, only }: ProgramSettings) {
  const all = loadPrograms(directory)
  if (!production) return all
  const served = new Map([...all].filter(([code, { config }]) => !isSample(config) || samplePrograms.includes(code)))
  const problems = samplePrograms
    .filter((code) => !all.has(code))
    .map((code) => `SAMPLE_PROGRAMS names ${code}, which is not in ${directory}`)
  if (served.size === 0) {
    problems.push(`${directory} has sample programs only: set PROGRAMS_DIR, or name those to serve in SAMPLE_PROGRAMS`)
  }
  if (only !== undefined && !served.has(only)) problems.push(`SINGLE_PARTNER names ${only}, which is not served`)
  for (const { folder, config } of served.values()) {
    if (config.sso?.issuer === 'sample' && !sampleBank) {
      problems.push(
        `${folder}/program.json: sso.issuer is the sample bank: set your identity provider, or SAMPLE_ID=true`,
      )
    }
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return served
}
