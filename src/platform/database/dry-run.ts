import { createHash } from 'node:crypto'

/** Ends a transaction without an effect, and carries its result out. */
class RolledBack extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('a dry run ends here')
    this.result = result
  }
}

/**
 * Carries out an act, or only tries it: the dry run of an act is its own code, whose transaction is rolled back. `act`
 * calls `finish` as the last thing in its transaction.
 */
export async function tryOrDo<T>(
  { isDry }: { isDry: boolean },
  act: (finish: (result: T) => T) => Promise<T>,
): Promise<T> {
  try {
    return await act((result) => {
      if (isDry) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}

/** Names the outcome of a dry run: sent back, it makes sure that the act does what was shown. `facts` can be JSON. */
export const fingerprintOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22)
