import { expect, test } from 'vitest'
import { formSchema } from '../../../platform/form-schema.ts'
import { loadPrograms } from '../../../programs/partners/load-programs.ts'
import { publicConfig } from '../../../programs/partners/public-config.ts'
import { ProfileForm } from './forms.ts'
import { isSmsConsentValid, profileFields, profileProblems, toProfileForm } from './rules.ts'

const schema = formSchema(ProfileForm)
const programs = loadPrograms('programs')
const findConfig = (code: string) =>
  publicConfig((programs.get(code) as { config: Parameters<typeof publicConfig>[0] }).config)
const form = (over: Record<string, unknown> = {}) =>
  schema.parse({ firstName: 'Ada', lastName: 'Lovelace', zipCode: '10001', ...over })

test('PROF-005 PROF-007 an address is required by the program’s setting, and not where rewards are credit', () => {
  const base = findConfig('orchard')
  for (const fullAddressRequired of [true, false]) {
    for (const currencyType of ['Point', 'Credit'] as const) {
      const fields = profileProblems(form(), { ...base, fullAddressRequired, currencyType }, form()).map(
        ({ field }) => field,
      )
      const expected = fullAddressRequired && currencyType !== 'Credit' ? ['address1', 'city', 'state'] : []
      expect([fullAddressRequired, currencyType, fields]).toEqual([fullAddressRequired, currencyType, expected])
    }
  }
})

test('PROF-002 PROF-004 PROF-008 each field is trimmed and checked against its limits', () => {
  const wrong = (over: Record<string, unknown>) =>
    schema.safeParse({ firstName: 'Ada', lastName: 'Lovelace', zipCode: '10001', ...over }).success === false
  const before = { firstName: 'A'.repeat(35), lastName: '', phoneNumber: '' }
  const nameErrors = (over: Record<string, unknown>, code = 'skyharbor') =>
    profileProblems(form(over), findConfig(code), before)
  expect(nameErrors({ firstName: 'x'.repeat(21) })).toEqual([
    { field: 'firstName', message: 'validation.too_long|20|join.first_name' },
  ])
  expect(nameErrors({ firstName: 'x'.repeat(20) })).toEqual([])
  // Another name is a typed one; the stored one is the partner's.
  expect(nameErrors(before)).toEqual([])
  expect(nameErrors({ firstName: ' ' })).toEqual([{ field: 'firstName', message: 'validation.first_name_missing' }])
  expect(nameErrors({ firstName: 'x'.repeat(21) }, 'beacon')).toEqual([])
  expect(form({ firstName: `  ${'x'.repeat(20)}  ` }).firstName).toHaveLength(20)
  for (const field of ['address1', 'address2']) {
    expect([field, wrong({ [field]: 'x'.repeat(31) }), wrong({ [field]: 'x'.repeat(30) })]).toEqual([
      field,
      true,
      false,
    ])
  }
  expect([wrong({ city: 'x'.repeat(21) }), wrong({ city: 'x'.repeat(20) })]).toEqual([true, false])
  for (const zipCode of ['', '1234', '123456', 'abcde', '1234a'])
    expect([zipCode, wrong({ zipCode })]).toEqual([zipCode, true])
})

test('PROF-012 PROF-013 PROF-018 phone, names and consents are checked as the program requires', () => {
  expect(profileFields(findConfig('beacon'))).toMatchObject({ phone: false, namesEditable: false, password: false })
  expect(profileFields(findConfig('skyharbor'))).toMatchObject({ phone: true, smsDialog: false, emailOptIn: true })
  expect(profileFields(findConfig('gallonaire'))).toMatchObject({ phone: true, smsDialog: true })
  expect(profileFields(findConfig('orchard'))).toMatchObject({ emailOptIn: false, addressRequired: true })
  const phone = (phoneNumber: string, before = '') =>
    profileProblems(form({ phoneNumber }), findConfig('skyharbor'), { ...form(), phoneNumber: before }).map(
      ({ message }) => message,
    )
  // A number that was stored before numbers of other countries were refused stays.
  expect([phone('416-555-0100'), phone('416-555-0100', '4165550100')]).toEqual([['validation.phone_us'], []])
  expect(phone('1-212-555-0100')).toEqual([])
  expect(phone('123-555-0100')).toEqual(['validation.phone_us'])
  expect(phone('212-155-0100')).toEqual(['validation.phone_us'])
  expect(phone('12')).toEqual(['validation.phone_format'])
  expect(phone('')).toEqual([])
})

test('PROF-016 PROF-017 a consent to texts follows its number: always in the first form, while the number is valid in the second', () => {
  const [v1, v2] = [findConfig('skyharbor'), findConfig('gallonaire')]
  const before = '212-555-0100'
  expect(isSmsConsentValid({ before, after: '' }, v1)).toBe(false)
  expect(isSmsConsentValid({ before, after: '' }, v2)).toBe(false)
  expect(isSmsConsentValid({ before, after: '212-555-0199' }, v1)).toBe(false)
  expect(isSmsConsentValid({ before, after: '212-555-0199' }, v2)).toBe(true)
  expect(isSmsConsentValid({ before, after: '212-155-0199' }, v2)).toBe(false)
  expect(isSmsConsentValid({ before, after: before }, v1)).toBe(true)
})

test('PROF-006 a state is empty or one of the US states, territories or armed forces', () => {
  const isState = (state: string) =>
    schema.safeParse({ firstName: 'Ada', lastName: 'Lovelace', zipCode: '10001', state }).success
  expect(['', 'NY', 'DC', 'PR', 'AE'].filter(isState)).toEqual(['', 'NY', 'DC', 'PR', 'AE'])
  expect(['ZZ', 'ny', 'New York', 'N'].filter(isState)).toEqual([])
})

test('VAL-021 the second form of consent requires a phone number, and the first follows its number', () => {
  const wanted = form({ smsOptIn: true })
  expect(profileProblems(wanted, findConfig('gallonaire'), wanted)).toEqual([
    { field: 'phoneNumber', message: 'validation.phone_for_texts' },
  ])
  for (const code of ['skyharbor', 'beacon']) expect(profileProblems(wanted, findConfig(code), wanted)).toEqual([])
})

test('ENR-012 names and password can be changed here except with single sign-on', () => {
  for (const code of ['skyharbor', 'gallonaire', 'orchard'])
    expect([code, profileFields(findConfig(code))]).toMatchObject([code, { namesEditable: true, password: true }])
})

test('PROF-017 VAL-021 spaces are no phone number, and a valid one is enough for the consent', () => {
  const config = findConfig('gallonaire')
  expect(profileProblems(form({ smsOptIn: true, phoneNumber: '212-555-0100' }), config, form())).toEqual([])
  const blank = { before: '  ', after: '  ' }
  expect([isSmsConsentValid(blank, findConfig('skyharbor')), isSmsConsentValid(blank, config)]).toEqual([false, false])
})

test('API-007 the form starts with the values of the member', () => {
  const address = { address1: '1 Main Street', address2: 'Apt 2', city: 'New York', state: 'NY', zipCode: '10001' }
  const member = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    phoneNumber: '2125550100',
    smsOptIn: true,
    emailOptIn: false,
  }
  expect(toProfileForm({ ...member, address } as Parameters<typeof toProfileForm>[0])).toEqual({
    ...member,
    ...address,
    phoneNumber: '212-555-0100',
  })
})
