import { expect, test } from 'vitest'
import { maskedAddress, withoutAddresses } from './mask.ts'

test('CON-403 of an email address the first letter and the domain are shown', () => {
  expect(maskedAddress('ada.lovelace@example.com')).toBe('a…@example.com')
  expect(maskedAddress('"a@b"@example.com')).toBe('"…@example.com')
  expect(['', 'nonsense', '@example.com'].map(maskedAddress)).toEqual(['…', '…', '…'])
})

test('CON-403 addresses in the words of a mail server are masked', () => {
  expect(withoutAddresses('550 <ada@example.com>: Recipient ada@example.com rejected; try bob@b.example.')).toBe(
    '550 <a…@example.com>: Recipient a…@example.com rejected; try b…@b.example.',
  )
  expect(withoutAddresses('421 4.7.0 Try again later')).toBe('421 4.7.0 Try again later')
})
