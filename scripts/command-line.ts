import '../src/platform/config/compile-on-main-thread.ts'
import { existsSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { loadPrograms, ProgramError } from '../src/programs/partners/load-programs.ts'

// A reader such as `head` may stop before the end. The rest of the output is dropped, and the command completes its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/**
 * Returns a function that prints a problem with the usage and exits with 1. With --help it prints the usage and exits
 * with 0.
 */
export function createUsageExit(usage: string): (problem: string) => never {
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

/** Parses the options of a command; an unknown one exits with the usage. */
export function readOptions<const O extends Options>(options: O, stop: (problem: string) => never) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** Parses the options and positional arguments of a command. */
export function readArguments<const O extends Options>(options: O, stop: (problem: string) => never) {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** Returns the single file argument of a command; none, several or a missing file exits with the usage. */
export function readOneFile(positionals: readonly string[], stop: (problem: string) => never): string {
  const [file, ...more] = positionals
  if (!file || more.length > 0) return stop('One FILE is needed.')
  return existsSync(file) ? file : stop(`There is no file ${file}.`)
}

/** Reads the programs of this installation; an unusable folder ends the command. */
export function readPrograms() {
  try {
    return loadPrograms(process.env.PROGRAMS_DIR || 'programs')
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

/** Returns the code of an existing program; any other ends the command. */
export function readProgram(code: string | undefined, stop: (problem: string) => never): string {
  if (!code) return stop('Which program? Name it with --partner.')
  const programs = readPrograms()
  return programs.has(code) ? code : stop(`There is no program ${code}. There are: ${[...programs.keys()].join(', ')}.`)
}
