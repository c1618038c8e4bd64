import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stopPostgres } from '../src/kit/server/embedded-postgres.ts'

const dataDir = resolve(process.env.DATA_DIR ?? '.data')

/** The process that serves from this data folder, if it lives. */
function runningApp(): number | null {
  const file = join(dataDir, 'app.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8'))
  try {
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

const pid = runningApp()
if (pid !== null) {
  process.stderr.write(`The app is running (process ${pid}). Stop it first, then reset.\n`)
  process.exit(1)
}
if (!existsSync(dataDir)) {
  process.stdout.write('There is no local data.\n')
  process.exit(0)
}
process.stdout.write(`Removing all local data in ${dataDir}\n`)
if (await stopPostgres(join(dataDir, 'postgres'))) process.stdout.write('Stopped the embedded PostgreSQL\n')
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write('Done. The next start begins anew.\n')
