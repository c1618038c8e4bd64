import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockEntry {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> }
const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)

/** Binaries of development tools for other platforms, whose hashes are not recorded yet. */
const withoutHash =
  /^node_modules\/(@biomejs\/cli-|@oxlint\/binding-|@swc\/core-|rolldown\/node_modules\/@rolldown\/binding-)/

/** Returns whether npm installs an entry on Linux with glibc, where everything is built and tested. */
const isForLinux = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: LockEntry) =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc')

/** Returns the paths of entries whose content is not verified by a hash. */
function unverified(entries: readonly [string, LockEntry][]): string[] {
  return entries.flatMap(([path, entry]) => {
    const isKnown = withoutHash.test(path) && entry.optional && entry.dev && !(isForLinux(entry) && entry.os)
    return /^sha512-/.test(entry.integrity ?? '') || isKnown ? [] : [path]
  })
}

test('every package that is installed or deployed has a hash in the lock file', () => {
  expect(installed.length).toBeGreaterThan(300)
  expect(unverified(installed)).toEqual([])
  expect(unverified([['node_modules/zod', { version: '4.6.7' }]])).toEqual(['node_modules/zod'])
})

test('only the 47 known binaries of development tools have no hash', () => {
  expect(installed.filter(([, { integrity }]) => !integrity).length).toBeLessThanOrEqual(47)
})

test('the lock file names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
