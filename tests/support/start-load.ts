import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Load, LoadResult } from './load-client.ts'

/** Runs a load client as a process of its own. Returns its result when it has all its responses. */
export async function startLoad(load: Load): Promise<LoadResult> {
  const client = fork(join(import.meta.dirname, 'load-client.ts'))
  client.send(load)
  const [result] = (await once(client, 'message')) as [LoadResult]
  return result
}
