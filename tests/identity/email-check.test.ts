import { expect, test } from 'vitest'
import { useEmailCheck } from '../../src/identity/enrollment/member/use-email-check.ts'
import { setUpFieldCheck } from '../support/field-check.ts'

const setUp = (respond: (email: string) => Promise<{ isValid: boolean }>, partner = 'gallonaire') =>
  setUpFieldCheck(useEmailCheck, { name: 'email', partner, respond })

test('an address that cannot join has an error, a free one and one that could not be checked have none', async () => {
  const { sent, errors, leave } = setUp(async (email) => {
    if (email.startsWith('error')) throw new Error('500')
    return { isValid: email !== 'taken@example.com' }
  })
  for (const value of ['', 'free@example.com', ' taken@example.com ', 'error@example.com']) await leave(value)
  expect(sent).toEqual(['free@example.com', 'taken@example.com', 'error@example.com'])
  expect(errors).toEqual([['email', 'join.email_taken']])
})

test('the result for an address that was corrected meanwhile is ignored', async () => {
  const checked = Promise.withResolvers<{ isValid: boolean }>()
  const { field, errors, leave } = setUp(() => checked.promise)
  const late = leave('taken@example.com')
  field.value = 'free@example.com'
  checked.resolve({ isValid: false })
  await late
  expect(errors).toEqual([])
})

test('an address with an error, and one in a program that has no such form, is not checked', async () => {
  const { field, sent, leave } = setUp(async () => ({ isValid: false }))
  field.error = 'validation.email'
  await leave('a@example.com')
  const bank = setUp(async () => ({ isValid: false }), 'beacon')
  await bank.leave('a@example.com')
  expect([sent, bank.sent]).toEqual([[], []])
})
