import type { Solution } from 'altcha-lib'
import type { FetchRead } from '../../../../platform/browser/query.ts'
import { getBotChallenge, solveBotChallenge } from '../../contract.ts'
import { BotCheckError, type BotCheckSolver } from './bot-check-solver.ts'

/** Proof of work: a worker searches for a number for about a second. */
export function createAltchaSolver(fetchApi: FetchRead): BotCheckSolver {
  return {
    async getToken(send) {
      const challenge = await fetchApi(getBotChallenge, {})
      const { counter, derivedKey } = await solve(challenge)
      const { token } = await send(solveBotChallenge, { body: { challenge, solution: { counter, derivedKey } } })
      return token
    },
    reset() {},
  }
}

function solve(challenge: unknown): Promise<Solution> {
  const worker = new Worker(new URL('./solve.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
      data ? resolve(data) : reject(new BotCheckError('bot.required'))
    worker.onerror = () => reject(new BotCheckError('bot.required'))
    worker.postMessage(challenge)
  }).finally(() => worker.terminate())
}
