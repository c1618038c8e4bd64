import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storageKeys } from './storage-keys.ts'

test('TRACK-012 PWA-003 every key that is stored in the browser is in one list', () => {
  expect(storageKeys).toMatchObject({ installLater: 'RN_PWA_LATER', generalPopup: 'RN_GENERAL_POPUP' })
  const elsewhere = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.') && !file.endsWith('browser/storage.ts'))
    .filter((file) => /\blocalStorage\./.test(readFileSync(file, 'utf8')))
  expect(elsewhere).toEqual([])
})
