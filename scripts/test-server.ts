import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/support/free-port.ts'

/** Starts the whole app, as `npm start` does, on a free port and a database of its own; `env` are more settings. */
export async function startTestServer(databaseUrl: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'dineback-journeys-'))
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
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

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk.toString().replace(/^/gm, '   '))
      if (chunk.includes('Ctrl+C')) resolve()
    })
    child.once('close', (code) => reject(new Error(`the app ended with ${code} before it was ready`)))
  })
}
