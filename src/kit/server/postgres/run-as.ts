import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** Whom PostgreSQL runs as: itself refuses to be root. Null means: as we are. */
export interface RunAs {
  uid: number
  gid: number
}

/**
 * The user for a server started by root: the owner of `data` when it exists already, else `postgres`, else
 * `nobody`. Throws when the system knows neither.
 */
export function runAs(data: string): RunAs | null {
  if (process.getuid?.() !== 0) return null
  const owner = ownerOf(data)
  if (owner && owner.uid !== 0) return owner
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    // Some systems write nobody's number as -2; the kernel means it unsigned.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error('PostgreSQL cannot run as root, and this system has neither a user postgres nor nobody')
}

function ownerOf(path: string): RunAs | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? { uid: found.uid, gid: found.gid } : null
}

/** Whether that user can enter a folder, asked of the system itself, so that every kind of permission counts. */
export function canEnter(folder: string, user: RunAs | null): boolean {
  return tests('test -d "$1" && test -x "$1"', folder, user)
}

/** Whether that user can execute a file. */
export function canExecute(file: string, user: RunAs | null): boolean {
  return tests('test -x "$1"', file, user)
}

function tests(script: string, path: string, user: RunAs | null): boolean {
  if (user === null) return true
  return spawnSync('/bin/sh', ['-c', script, 'sh', path], { ...user, cwd: '/' }).status === 0
}
