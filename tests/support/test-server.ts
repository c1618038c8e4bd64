import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/**
 * Starts the whole app, as `npm start` does, on a free port with the given database. `env` has additional settings;
 * `preload` is a module that the process loads before the app. Rejects when the app exits before it serves. The app
 * ends with this process.
 */
export async function startTestServer(
  databaseUrl: string,
  { env = {}, preload }: { env?: Record<string, string>; preload?: string } = {},
) {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'dineback-journeys-'))
  const child = spawnApp([...(preload ? ['--import', preload] : []), 'src/main.ts'], {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ADMIN_PORT: 'off',
    ...env,
  })
  await ready(child, port)
  return {
    port,
    pid: child.pid,
    dataDir,
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const preloads = ['end-with-parent', 'caching-faults', 'one-query-at-a-time'].flatMap((name) => [
  '--import',
  `./tests/support/${name}.ts`,
])

/**
 * Starts Node with the given arguments: an app or a worker, which ends with this process. A terminal's Ctrl+C does not reach it, only the test
 * runner, which finishes what it does before it stops the app.
 */
export function spawnApp(args: string[], env: NodeJS.ProcessEnv = process.env) {
  return spawn(process.execPath, [...preloads, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    env,
  })
}

/** Waits until the app listens, which it does once it can serve. Rejects with its output when it exits before that. */
function ready(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    let hasEnded = false
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.once('close', (code) => {
      hasEnded = true
      reject(new Error(`the app ended with ${code} before it was ready:\n${output}`))
    })
    const knock = () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve()
      })
      socket.once('error', () => hasEnded || setTimeout(knock, 50))
    }
    knock()
  })
}
