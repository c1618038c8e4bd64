import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/**
 * Starts a program and waits until one of its outputs contains the pattern, if given. Rejects with the output when it
 * ends before that.
 */
export async function startProgram(
  path: string,
  args: readonly string[],
  { env, pattern = /^/, extraOutput = false }: { env: NodeJS.ProcessEnv; pattern?: RegExp; extraOutput?: boolean },
): Promise<{ match: RegExpExecArray; stop(): Promise<void> }> {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(extraOutput ? (['pipe'] as const) : [])]
  const child: ChildProcess = spawn(path, args, { env, stdio })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    let output = ''
    const found = () => {
      const match = pattern.exec(output)
      if (match) resolve(match)
    }
    found()
    for (const stream of child.stdio.slice(1) as Readable[])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        found()
      })
    child.once('error', reject)
    void ended.then(() => reject(new Error(`${path} ended early:\n${output}`)))
  })
  return {
    match,
    async stop() {
      child.kill()
      await ended
    },
  }
}
