import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const written =
  /(?:insertInto|updateTable|deleteFrom)\('([\w.]+)'|(?:insertRows|updateRows)\(\s*tx,\s*'(\w+)'|\b(?:insert into|update|delete from) ([a-z_.]+)\b/g

/** Modules that may write a table of another module. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The console decides claims.
  claims: ['rewards/claims'],
  // A payout marks the transactions that it pays.
  transactions: ['rewards/awards', 'rewards/payouts'],
}

function moduleOf(file: string): string {
  const [, area, name] = file.split('/') as [string, string, string]
  return ['programs', 'identity', 'dining', 'rewards', 'account', 'console'].includes(area) ? `${area}/${name}` : area
}

test('every table is written by the module that owns it', () => {
  const tables = new Set(
    [...readFileSync('db/schema.ts', 'utf8').matchAll(/^ {2}"?([a-z_.]+)"?: [A-Z]\w+;$/gm)].map(([, name]) => name),
  )
  const writers = new Map<string, Set<string>>()
  for (const file of globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    for (const [, ...names] of readFileSync(file, 'utf8').matchAll(written)) {
      const table = names.find(Boolean) as string
      if (!tables.has(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(moduleOf(file)))
    }
  }
  expect(writers.size).toBeGreaterThan(40)
  const shared = [...writers].filter(
    ([table, modules]) => modules.size > 1 && [...modules].some((module) => !exceptions[table]?.includes(module)),
  )
  expect(shared).toEqual([])
})
