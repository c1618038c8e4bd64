import { spawn } from 'node:child_process'
import type { TestApp } from './app.ts'
import { stress } from './scale.ts'

/** What a command has printed, and its exit code. `text` is the output followed by the errors. */
export interface EndedCommand {
  code: number | null
  text: string
  out: string
  err: string
}

type Environment = Record<string, string | undefined>

/** Returns the environment of a command that runs next to an app. */
export function environmentOf({ settings, dataDir, port }: Pick<TestApp, 'settings' | 'dataDir' | 'port'>) {
  const { DATABASE_URL, VAULT_SECRET } = settings
  return { NODE_ENV: 'test', DATABASE_URL, VAULT_SECRET, DATA_DIR: dataDir, PORT: String(port) }
}

/**
 * Runs a script of `scripts/` by its name. Under stress it is a process of its own, as for a user. Otherwise it runs in
 * this process, one command at a time, because half a second of each process is spent on loading modules.
 */
export function runCommand(script: string, args: readonly string[], env: Environment): Promise<EndedCommand> {
  if (stress) return runProcess(script, args, env)
  const ended = previous.then(() => runHere(script, args, env))
  previous = ended.catch(() => {})
  return ended
}

let previous: Promise<unknown> = Promise.resolve()

/** Runs a script as a process of its own, which shows that it ends by itself. */
export function runProcess(script: string, args: readonly string[], env: Environment): Promise<EndedCommand> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], { env: { ...process.env, ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text: out + err, out, err })))
}

/** Ends a script that runs here, as `process.exit` ends a process. */
class Exit extends Error {
  code: number

  constructor(code: number) {
    super(`exit with ${code}`)
    this.code = code
  }
}

let runs = 0

async function runHere(script: string, args: readonly string[], env: Environment): Promise<EndedCommand> {
  const { argv, env: ownEnv, exit, exitCode } = process
  const own = { out: process.stdout.write, err: process.stderr.write }
  let [out, err] = ['', '']
  let code = 0
  process.argv = [process.execPath, `scripts/${script}.ts`, ...args]
  process.env = { ...ownEnv, ...env } as NodeJS.ProcessEnv
  process.exitCode = undefined
  process.exit = (given) => {
    throw new Exit(Number(given ?? process.exitCode ?? 0))
  }
  const recorder =
    (record: (text: string) => void) =>
    (chunk: string | Uint8Array, ...rest: unknown[]) => {
      record(Buffer.from(chunk).toString())
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
  process.stdout.write = recorder((text) => {
    out += text
  })
  process.stderr.write = recorder((text) => {
    err += text
  })
  try {
    // A new query is a new module: the script runs again, and what it imports is loaded once.
    await import(/* @vite-ignore */ `../../scripts/${script}.ts?run=${++runs}`)
    code = Number(process.exitCode ?? 0)
  } catch (error) {
    code = error instanceof Exit ? error.code : 1
    // Node prints an uncaught error with its stack.
    if (!(error instanceof Exit)) err += (error as Error).stack
  } finally {
    Object.assign(process, { argv, env: ownEnv, exit, exitCode })
    process.stdout.write = own.out
    process.stderr.write = own.err
  }
  return { code, text: out + err, out, err }
}
