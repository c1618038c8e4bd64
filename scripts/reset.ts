import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { readInstallation } from '../src/app/installation.ts'
import { isPostgresUsed, removePostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { dataDirOf } from '../src/platform/config/data-dir.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Stops the embedded PostgreSQL and removes all local data, under DATA_DIR. Stop the app first.

  npm run reset`

readOptions({}, createUsageExit(usage))

const dataDir = resolve(dataDirOf(process.env))

/** Returns the id of the running process that serves from this data folder, or null. */
function runningApp(): number | null {
  const { pid = 0 } = readInstallation(dataDir) ?? {}
  return pid > 0 && isOurs(pid) ? pid : null
}

// After a crash the operating system may have given the id to another program.
function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform === 'win32' || /\b(scripts|src)\/[a-z-]+\.ts\b/.test(readCommand(pid))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readCommand(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
}

function abort(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const containsPath = (path: string) =>
  path === dataDir || path.startsWith(dataDir.endsWith(sep) ? dataDir : dataDir + sep)
if (containsPath(process.cwd()) || containsPath(homedir()))
  abort(`DATA_DIR is ${dataDir}: that holds more than local data.`)
const pid = runningApp()
if (pid !== null) abort(`The app is running (process ${pid}). Stop it first, then reset.`)
const postgresDir = join(dataDir, 'postgres')
if (await isPostgresUsed(postgresDir)) abort('Another process uses the embedded PostgreSQL. Let it end, then reset.')
if (!existsSync(dataDir)) {
  process.stdout.write('There is no local data.\n')
  process.exit(0)
}
process.stdout.write(`Removing all local data in ${dataDir}\n`)
const stopped = await removePostgres(postgresDir)
if (stopped) process.stdout.write('Stopped the embedded PostgreSQL\n')
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write('Done. The next start creates a new installation.\n')
