import { type ParseArgsConfig, parseArgs } from 'node:util'

/** What a command says when it is not called as it should be; it ends with that. */
export function usageOf(usage: string): (problem: string) => never {
  return (problem) => {
    process.stderr.write(`${problem}\n\n${usage}\n`)
    process.exit(1)
  }
}

/** The options of a command; one that it does not have ends it with its usage. */
export function readOptions<const O extends NonNullable<ParseArgsConfig['options']>>(
  options: O,
  stop: (problem: string) => never,
) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}
