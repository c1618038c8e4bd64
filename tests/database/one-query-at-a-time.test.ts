import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

test('a test fails when a query is started while its connection executes another one', async () => {
  const database = await createTestDatabase('empty')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const first = client.query('select 1 as n')
    expect(() => client.query('select 2')).toThrow('A query was started while its connection executes another one')
    expect((await first).rows).toEqual([{ n: 1 }])
    expect((await client.query('select 3 as n')).rows).toEqual([{ n: 3 }])
  } finally {
    await client.end()
    await database.drop()
  }
})
