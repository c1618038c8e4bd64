import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/support/free-port.ts'

/**
 * Starts the whole app, as `npm start` does, on a free port and the given database. `env` are more settings; `preload`
 * is a module that the process loads before the app. Rejects when the app ends before it serves.
 */
export async function startTestServer(
  databaseUrl: string,
  { env = {}, preload }: { env?: Record<string, string>; preload?: string } = {},
) {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'dineback-journeys-'))
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), 'src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ADMIN_PORT: 'off',
      ...env,
    },
  })
  await ready(child)
  return {
    port,
    dataDir,
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Waits until the app says that it serves. Rejects with everything it printed when it ends before that. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      if (chunk.includes('Ctrl+C')) resolve()
    })
    child.once('close', (code) => reject(new Error(`the app ended with ${code} before it was ready:\n${output}`)))
  })
}
