import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner, joinForm, startTestApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { newMember, recoveryCodeOf } from '../support/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await withoutBotCheck('skyharbor', app)
})
afterAll(() => app?.stop())

const address = { address1: '1 Main Street', city: 'New York', state: 'NY' }

test('a new password is none of the words or numbers that people know of the member, wherever it is set', async () => {
  const names = { firstName: 'Augustina', lastName: 'Lovelace', email: `kingfisher@${Date.now()}.example` }
  const { visitor, form } = await newMember(app, 'skyharbor', names)
  const { email, ...profile } = {
    ...names,
    ...address,
    zipCode: '10001',
    phoneNumber: '',
    smsOptIn: false,
    emailOptIn: false,
  }
  const browser = visit(app, 'skyharbor')
  expect((await browser.change('POST', '/api/Members/Recover', { userName: email })).status).toBe(202)
  const confirmed = await browser.change('POST', '/api/Members/Recover/Confirm', {
    code: await recoveryCodeOf(app, email),
  })
  const { resetToken } = confirmed.json()
  const ways: Record<string, (password: string) => Promise<{ json: () => unknown }>> = {
    joining: (password) =>
      visit(app, 'skyharbor').change('POST', '/api/Members/Prospects', {
        ...joinForm({ ...names, ...address, email: `kingfisher@other-${Date.now()}.example` }),
        partnerNumber: 'SKY70707070',
        password,
        passwordConfirm: password,
      }),
    changing: (password) => visitor.change('PUT', '/api/Member', { ...profile, password }),
    recovering: (password) =>
      browser.change('POST', '/api/Members/Recover/Update', { resetToken, password, passwordConfirm: password }),
  }
  const personal = 'This password is easy to guess from your details. Please add a few words.'
  for (const [way, set] of Object.entries(ways)) {
    const number = way === 'joining' ? 'SKY70707070' : String(form.partnerNumber)
    const messages: unknown[] = []
    for (const password of [
      'augustina12',
      'Lovelace12',
      'kingfisher1',
      'skyharbor12',
      'Skyharbor Miles Dining',
      'augustinalovelace',
      'LovelaceAugustina7',
      way === 'joining' ? 'Kingfisher@other' : email,
      `${number} and more`,
    ])
      messages.push((await set(password)).json())
    const partnerNumber = 'Your password must not contain your Skyharbor member number.'
    expect([way, ...messages]).toEqual([
      way,
      ...Array.from({ length: 8 }, () => [{ field: 'password', message: personal }]),
      [{ field: 'password', message: partnerNumber }],
    ])
  }
  // Nothing was set.
  const [row] = await asOwner(app, 'select count(*)::int as count from members where email like $1', ['kingfisher@%'])
  expect(row).toEqual({ count: 1 })
})
