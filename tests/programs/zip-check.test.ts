import { expect, test } from 'vitest'
import { useZipCheck } from '../../src/programs/places/member/embed/use-zip-check.ts'
import { setUpFieldCheck } from '../support/field-check.ts'

const setUp = (respond: (zip: string) => Promise<{ isValid: boolean }>) =>
  setUpFieldCheck(useZipCheck, { name: 'zip', partner: 'skyharbor', respond })

test('a ZIP code is checked by its first five digits, once for each, and not without them', async () => {
  const { sent, errors, leave } = setUp(async (zip) => ({ isValid: zip === '10001' }))
  for (const value of ['', '10001', '10001-1234', '00000', '00000']) await leave(value)
  expect(sent).toEqual(['10001', '00000'])
  expect(errors).toEqual([
    ['zipCode', 'validation.zip'],
    ['zipCode', 'validation.zip'],
  ])
})

test('a field that has an error already is not checked', async () => {
  const { field, sent, leave } = setUp(async () => ({ isValid: false }))
  field.error = 'validation.required'
  await leave('10001')
  expect(sent).toEqual([])
})

test('a check that fails is an error, and is sent again', async () => {
  let isFailing = true
  const { sent, errors, leave } = setUp(async () => {
    if (isFailing) throw new Error('500')
    return { isValid: true }
  })
  await leave('10001')
  isFailing = false
  await leave('10001')
  expect([sent, errors]).toEqual([['10001', '10001'], [['zipCode', 'errors.general']]])
})

test('the result for a ZIP code that was corrected meanwhile is ignored', async () => {
  const checked = Promise.withResolvers<{ isValid: boolean }>()
  const { field, errors, leave } = setUp(() => checked.promise)
  const late = leave('00000')
  field.value = '10001'
  checked.resolve({ isValid: false })
  await late
  expect(errors).toEqual([])
})
