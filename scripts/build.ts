import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { buildOnce, isBuiltFrom } from './build-once.ts'

const folder = 'dist'

/** Returns a hash of all sources of the browser code. */
function sourceHash(): string {
  const hash = createHash('sha256')
  const files = globSync([
    'src/**/*.{ts,tsx,css,woff2}',
    'vault/**/*.{ts,tsx,css,html}',
    'package-lock.json',
    '*.config.ts',
    'scripts/{build,build-targets,compress-assets,web-chunks}.ts',
  ])
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** Builds the browser code unless the existing build has the same sources. `log` gets a line per step. */
export async function buildWeb(log: (line: string) => void): Promise<void> {
  const hasBuilt = await buildOnce(folder, sourceHash(), () => build(log))
  if (!hasBuilt) log('web: built already')
}

async function build(log: (line: string) => void): Promise<void> {
  const began = performance.now()
  // Loaded only for a build: Vite takes longer to load than the app does to start.
  const [{ builderConfigs }, { compressAssets }] = await Promise.all([
    import('./build-targets.ts'),
    import('./compress-assets.ts'),
  ])
  for (const [name, buildPart] of Object.entries(builderConfigs)) {
    log(`web: building the ${name}`)
    await buildPart()
  }
  await compressAssets()
  log(`web: built in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/**
 * Does the same in a child process, which prints the steps: a build in this process would leave it with 0.7 GB more
 * memory. Ends this process when the build fails or is interrupted.
 */
export async function buildWebSeparately(log: (line: string) => void): Promise<void> {
  if (isBuiltFrom(folder, sourceHash())) return log('web: built already')
  const child = spawn(process.execPath, ['scripts/build-web.ts'], { stdio: 'inherit' })
  const interrupt = () => child.kill('SIGTERM')
  process.on('SIGTERM', interrupt)
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  process.off('SIGTERM', interrupt)
  if (code !== 0) process.exit(code)
}
