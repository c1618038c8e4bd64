import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { developmentSecretPrefix, type SecretName } from '../config/settings.ts'

const names: SecretName[] = ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET']

/** Returns the secrets of this checkout, created at the first start and stored (mode 0600) in the data folder. */
export function developmentSecrets(dataDir: string): Record<SecretName, string> {
  const file = join(dataDir, 'secrets.json')
  const stored = readStored(file)
  if (stored && names.every((name) => stored[name])) return stored as Record<SecretName, string>
  const created = Object.fromEntries(
    names.map((name) => [name, stored?.[name] ?? developmentSecretPrefix + randomBytes(36).toString('base64url')]),
  )
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return created as Record<SecretName, string>
}

function readStored(file: string): Partial<Record<SecretName, string>> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
