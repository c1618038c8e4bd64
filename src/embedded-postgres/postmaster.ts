import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Address } from './cluster.ts'

/** A running embedded server. */
export interface Postmaster extends Address {
  pid: number
  /** Whether it accepts connections. Until then, another server may have its port. */
  ready: boolean
}

/**
 * Returns the server that runs on this data directory (its real path), whichever process started it, or null. While it
 * starts, the folder of its sockets may still be missing.
 */
export function findPostmaster(data: string): Postmaster | null {
  const [first, , , fourth, fifth = '', , , status = ''] = readPidFile(data)
  const [pid, port] = [Number(first), Number(fourth)]
  return pid > 0 && port > 0 && isPostmasterOf(pid, data)
    ? { pid, port, sockets: isAbsolute(fifth) ? fifth : null, ready: status.trim() === 'ready' }
    : null
}

/**
 * Lets PostgreSQL start although the pid in a stale postmaster.pid now belongs to another program (pids are reused
 * after a restart of the machine or container). Replaces only the pid, by an impossible one: PostgreSQL uses the rest
 * to check that the old server's shared memory is free. Removes the sockets of a killed server, whose locks contain its
 * pid too. Call it when no server runs on this data directory.
 */
export function clearStaleLocks(data: string): void {
  for (const name of readdirSync(data)) if (name.startsWith('.s.PGSQL.')) rmSync(join(data, name), { force: true })
  const [first, ...rest] = readPidFile(data)
  const pid = Number(first)
  if (process.platform === 'win32' || !(pid > 0) || !isAlive(pid) || isPostmasterOf(pid, data)) return
  writeFileSync(join(data, 'postmaster.pid'), ['2147483646', ...rest].join('\n'))
}

/** Stops the server in fast mode (open transactions roll back) and waits until its process has exited. */
export async function shutDown(data: string, bin: string, { pid }: Postmaster): Promise<void> {
  if (process.platform === 'win32') {
    await promisify(execFile)(join(bin, 'pg_ctl.exe'), ['stop', '-D', data, '-m', 'fast', '-W']).catch(() => {})
  } else {
    signal(pid, 'SIGINT')
  }
  while (isPostmasterOf(pid, data)) await wait(20)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function readPidFile(data: string): string[] {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return []
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

// A pid alone proves nothing: it may be reused by another program or belong to a zombie process.
function isPostmasterOf(pid: number, data: string): boolean {
  if (process.platform === 'win32') return isAlive(pid) && existsSync(join(data, 'postmaster.pid'))
  try {
    if (process.platform === 'linux') {
      const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return basename(program) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === data
    }
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(`-D ${data}`)
  } catch {
    return false
  }
}

/** Returns whether a process has this id, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
