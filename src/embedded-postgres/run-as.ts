import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** The user that PostgreSQL runs as (it does not run as root). Null: the current user. */
export interface RunAs {
  uid: number
  gid: number
}

/**
 * Returns the user for a server started by root: the owner of `data` when it exists, else `postgres`, else `nobody`.
 * Throws when neither account exists.
 */
export function runAs(data: string): RunAs | null {
  if (process.getuid?.() !== 0) return null
  const owner = findOwner(data)
  if (owner && owner.uid !== 0) return owner
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    // Some systems write the uid of `nobody` as -2; the kernel reads it as unsigned.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error('PostgreSQL cannot run as root, and this system has neither a user postgres nor nobody')
}

function findOwner(path: string): RunAs | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? { uid: found.uid, gid: found.gid } : null
}

/**
 * Returns whether the user can enter a folder. Runs `test` as that user, so that every kind of permission is
 * considered.
 */
export function canEnter(folder: string, user: RunAs | null): boolean {
  return tests('test -d "$1" && test -x "$1"', folder, user)
}

/** Returns whether the user can execute a file. */
export function canExecute(file: string, user: RunAs | null): boolean {
  return tests('test -x "$1"', file, user)
}

function tests(script: string, path: string, user: RunAs | null): boolean {
  if (user === null) return true
  return spawnSync('/bin/sh', ['-c', script, 'sh', path], { ...user, cwd: '/' }).status === 0
}
