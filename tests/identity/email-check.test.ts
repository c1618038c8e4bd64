import { createElement } from 'react'
import { expect, test } from 'vitest'
import { useEmailCheck } from '../../src/identity/enrollment/member/use-email-check.ts'
import { renderHtml } from '../support/render-part.tsx'

interface Probed {
  check: (value: string) => Promise<void>
}

function Probe({ form, probed }: { form: Parameters<typeof useEmailCheck>[0]; probed: Probed }) {
  probed.check = useEmailCheck(form)
  return null
}

/** Returns a check of a form with these values, the addresses that were sent, and the errors that were set. */
function setUp(respond: (email: string) => Promise<{ isValid: boolean }>, partner = 'gallonaire') {
  const field = { value: '', error: undefined as string | undefined }
  const sent: string[] = []
  const errors: (readonly [string, string])[] = []
  const form = {
    getError: () => field.error,
    getValue: () => field.value,
    setError: (name: string, problem: string) => void errors.push([name, problem]),
  } as unknown as Parameters<typeof useEmailCheck>[0]
  const probed: Probed = { check: async () => {} }
  renderHtml(createElement(Probe, { form, probed }), {
    partner,
    call: (_call, given) => {
      const { email } = (given as { query: { email: string } }).query
      sent.push(email)
      return respond(email)
    },
  })
  const leave = (value: string) => {
    field.value = value
    return probed.check(value)
  }
  return { field, sent, errors, leave }
}

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

test('an address with an error, and one in a program where nobody joins by it, is not checked', async () => {
  const { field, sent, leave } = setUp(async () => ({ isValid: false }))
  field.error = 'validation.email'
  await leave('a@example.com')
  const bank = setUp(async () => ({ isValid: false }), 'beacon')
  await bank.leave('a@example.com')
  expect([sent, bank.sent]).toEqual([[], []])
})
