import { expect, test, vi } from 'vitest'
import { storeForNext, takeStored } from './next-document.ts'
import { getItem, removeItem, setItem } from './storage.ts'

const unavailable = () => {
  throw new DOMException('denied', 'SecurityError')
}
const storage = { getItem: unavailable, setItem: unavailable, removeItem: unavailable }

test('where the browser offers no storage nothing is stored, and nothing fails', () => {
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  setItem('RN_MEMBER', 'a')
  removeItem('RN_MEMBER')
  expect(getItem('RN_MEMBER')).toBeNull()
  storeForNext('for another document', '1')
  expect(takeStored('of the document before')).toBeNull()
})
