import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { developmentMark, type SecretName } from '../config/settings.ts'

const names: SecretName[] = ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET']

/** Returns the secrets of this checkout, created at the first start and stored (mode 0600) in the data folder. */
export function developmentSecrets(dataDir: string): Record<SecretName, string> {
  const file = join(dataDir, 'secrets.json')
  const kept = readKept(file)
  if (kept && names.every((name) => kept[name])) return kept as Record<SecretName, string>
  const made = Object.fromEntries(
    names.map((name) => [name, kept?.[name] ?? developmentMark + randomBytes(36).toString('base64url')]),
  )
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return made as Record<SecretName, string>
}

function readKept(file: string): Partial<Record<SecretName, string>> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
