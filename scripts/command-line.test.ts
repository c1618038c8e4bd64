import { expect, test } from 'vitest'
import { readArguments, readOneFile, readOptions, readProgram } from './command-line.ts'

const stop = (problem: string): never => {
  throw new Error(problem)
}

test('a command takes one file, which exists', () => {
  expect(readOneFile(['package.json'], stop)).toBe('package.json')
  for (const files of [[], [''], ['package.json', 'README.md']])
    expect(() => readOneFile(files, stop)).toThrow('One FILE is needed.')
  expect(() => readOneFile(['no-such-file.csv'], stop)).toThrow('There is no file no-such-file.csv.')
})

test('a command takes one of the existing programs', () => {
  expect(readProgram('skyharbor', stop)).toBe('skyharbor')
  for (const code of [undefined, '']) expect(() => readProgram(code, stop)).toThrow('Name it with --partner.')
  expect(() => readProgram('unicorn', stop)).toThrow('There is no program unicorn. There are: beacon, ')
})

test('only commands that say so take arguments without a name', () => {
  const { argv } = process
  const read = (...given: string[]) => {
    process.argv = [...argv.slice(0, 2), ...given]
    try {
      return { options: readOptions({ out: { type: 'string' } }, stop) }
    } finally {
      process.argv = argv
    }
  }
  expect(read('--out', 'x')).toEqual({ options: { out: 'x' } })
  expect(() => read('x')).toThrow('x')
  process.argv = [...argv.slice(0, 2), 'a', '--out', 'x', 'b']
  try {
    expect(readArguments({ out: { type: 'string' } }, stop)).toMatchObject({
      values: { out: 'x' },
      positionals: ['a', 'b'],
    })
  } finally {
    process.argv = argv
  }
})
