import '../src/kit/server/compile-on-main-thread.ts'
import { existsSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { loadPrograms, ProgramError } from '../src/partners/load-programs.ts'

/**
 * What a command says when it is not called as it should be; it ends with that. A call with --help prints the usage
 * and ends here.
 */
export function usageOf(usage: string): (problem: string) => never {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`${usage.trim()}\n`)
    process.exit(0)
  }
  return (problem) => {
    process.stderr.write(`${problem}\n\n${usage.trim()}\n`)
    process.exit(1)
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** The options of a command; one that it does not have ends it with its usage. */
export function readOptions<const O extends Options>(options: O, stop: (problem: string) => never) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** The options of a command and the arguments beside them. */
export function readArguments<const O extends Options>(options: O, stop: (problem: string) => never) {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** The one file that a command is given; none, several, or one that does not exist ends it. */
export function readOneFile(positionals: readonly string[], stop: (problem: string) => never): string {
  const [file, ...more] = positionals
  if (!file || more.length > 0) return stop('One FILE is needed.')
  return existsSync(file) ? file : stop(`There is no file ${file}.`)
}

/** The programs of this installation; a folder that cannot be used ends the command. */
export function readPrograms() {
  try {
    return loadPrograms(process.env.PROGRAMS_DIR || 'programs')
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

/** The code of a program that there is; any other ends the command. */
export function readProgram(code: string | undefined, stop: (problem: string) => never): string {
  if (!code) return stop('Which program? Name it with --partner.')
  const programs = readPrograms()
  return programs.has(code) ? code : stop(`There is no program ${code}. There are: ${[...programs.keys()].join(', ')}.`)
}
