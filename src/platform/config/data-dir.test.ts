import { expect, test } from 'vitest'
import { dataDirOf, defaultDataDir } from './data-dir.ts'

test('an empty DATA_DIR is the default folder, like a missing one', () => {
  expect([{}, { DATA_DIR: '' }, { DATA_DIR: '/srv/dineback' }].map(dataDirOf)).toEqual([
    defaultDataDir,
    defaultDataDir,
    '/srv/dineback',
  ])
})
