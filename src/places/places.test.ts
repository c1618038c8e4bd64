import { expect, test } from 'vitest'
import { locate, suggestPlaces, zipIsKnown } from './service.ts'

const near = (text: string) => {
  const place = locate(text)
  return place && `${place.latitude.toFixed(0)},${place.longitude.toFixed(0)}`
}

test('SRCH-001 a ZIP code, a city, a city with its state and a nickname are found', () => {
  expect(near('10001')).toBe('41,-74')
  expect(near('Chicago, IL')).toBe('42,-88')
  expect(near('chicago illinois')).toBe('42,-88')
  expect(near('Saint Louis, MO')).toBe(near('St. Louis MO'))
  expect(near('NYC')).toBe('41,-74')
  expect(near('Portland')).toBe(near('Portland, OR'))
})

test('SRCH-027 what is no place is not found', () => {
  expect(locate('asdfghjkl')).toBeUndefined()
  expect(locate('00000')).toBeUndefined()
})

test('VAL-010 US ZIP codes are known, military and territories too', () => {
  for (const zip of ['10001', '94103', '09012', '34002', '96201', '00901'])
    expect([zip, zipIsKnown(zip)]).toEqual([zip, true])
  for (const zip of ['00000', '99999', '1234', 'abcde', '']) expect([zip, zipIsKnown(zip)]).toEqual([zip, false])
})

test('suggestions begin with what was typed, larger places first', () => {
  expect(suggestPlaces('chica')[0]).toBe('Chicago, IL')
  expect(suggestPlaces('1000')[0]).toMatch(/^1000\d /)
  expect(suggestPlaces('c')).toEqual([])
})
