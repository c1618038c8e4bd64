import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '../backup/manifest.ts'
import { deriveKey, type SecretName, secretNames } from '../platform/config/settings.ts'

export type Secrets = Partial<Record<SecretName, string>>

/** What is lost when a secret differs from the one that rows were written with. */
const losses: Record<SecretName, string> = {
  APP_SECRET: 'links that were sent no longer work, and browsers have to subscribe to notifications again',
  VAULT_SECRET:
    'the key of the vault is lost: a card that is linked already is not recognized and could be linked and earn twice, and cards that partners have sealed cannot be opened',
  FEED_SECRET: 'card networks have to be given new keys',
  ID_SECRET: 'sessions at the sample identity provider end',
}

/** Returns the current secrets of an installation: from the environment, else from the data folder. Creates none. */
export function readCurrentSecrets(env: Record<string, string | undefined>, dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  const stored: Secrets =
    env.NODE_ENV !== 'production' && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return { ...stored, ...secretsOf(env) }
}

/** Returns the secrets that an environment sets. */
export function secretsOf(env: Record<string, string | undefined>): Secrets {
  return Object.fromEntries(secretNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

/** Throws BackupError that names the secrets that are not known. */
export function assertAllSecrets(secrets: Secrets): void {
  const missing = secretNames.filter((name) => !secrets[name])
  if (missing.length === 0) return
  throw new BackupError(
    `Not set: ${missing.join(', ')}. The archive contains fingerprints of the secrets, so that a restore notices other ones.\nSet them as for the app, or accept an archive without them with --without-fingerprints.`,
  )
}

/** Returns fingerprints, to compare secrets without revealing them. */
export function fingerprintsOf(secrets: Secrets): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      deriveKey(value, 'backup-fingerprint').toString('hex').slice(0, 16),
    ]),
  )
}

/**
 * Throws BackupError when the installation would use other secrets than the backup's rows were written with, and names
 * what is lost. `archived` holds the secrets of the backup, when they are used.
 */
export function assertSameSecrets(
  fingerprints: Record<string, string>,
  { current, archived }: { current: Secrets; archived: Secrets | null },
): void {
  const now = fingerprintsOf(archived ? { ...archived, ...current } : current)
  const different = secretNames.filter((name) => fingerprints[name] && fingerprints[name] !== now[name])
  if (different.length === 0) return
  const lines = different.map((name) => `  ${name} ${now[name] ? 'is another one' : 'is not set'}: ${losses[name]}`)
  throw new BackupError(
    `The backup was made with other secrets.\n${lines.join('\n')}\nSet the secrets of the backed-up installation, or accept the loss with --other-secrets.`,
  )
}

/** Writes the secrets of a backup into the data folder; a replaced file is renamed. */
export function storeSecrets(dataDir: string, secrets: Secrets): void {
  const file = join(dataDir, 'secrets.json')
  mkdirSync(dataDir, { recursive: true })
  if (existsSync(file)) renameSync(file, `${file}.before-restore-${Date.now()}`)
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
