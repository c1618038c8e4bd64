import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPhone, phoneDigits } from '../../platform/phone.ts'
import { phoneProblem } from '../../platform/us-phone.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import type { JoinForm } from './forms.ts'
import { joinFields, joinFormProblems, joinProblems, smsOptInOf, toSend } from './rules.ts'

const programs = loadPrograms('programs')
const config = (code: string) => {
  const program = programs.get(code)
  if (!program) throw new Error(code)
  return program.config
}

test('PART-013 PART-014 PART-015 PART-009 PART-040 ENR-010 each program requires the fields that its configuration names', () => {
  expect(joinFields(config('skyharbor'))).toMatchObject({
    partnerNumber: true,
    phone: true,
    smsConsent: false,
    address: false,
    password: true,
    emailOptIn: true,
  })
  expect(joinFields(config('gallonaire'))).toMatchObject({
    partnerNumber: false,
    phone: true,
    smsConsent: true,
    address: false,
  })
  expect(joinFields(config('beacon'))).toMatchObject({
    password: false,
    namesEditable: false,
    address: false,
    phone: false,
  })
  expect(joinFields(config('orchard'))).toMatchObject({ address: true, emailOptIn: false })
})

test('VAL-014 a phone number is a US number: ten digits, area code and exchange from 2 to 9, with an optional leading 1', () => {
  expect(['', '212-555-0100', '(212) 555 0100', '1 212 555 0100', '+1.212.555.0100'].map(phoneProblem)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
  expect(['12', '212-555-010', '212x5550100', '2-212-555-0100'].map(phoneProblem)).toEqual(
    Array(4).fill('validation.phone_format'),
  )
  expect(['112-555-0100', '212-155-0100'].map(phoneProblem)).toEqual(['validation.phone_us', 'validation.phone_us'])
  // Canada, Jamaica, the Bahamas, toll-free and personal numbers, a code that is not in use, and service codes.
  for (const area of ['416', '876', '242', '800', '888', '900', '500', '222', '911', '999'])
    expect([area, phoneProblem(`${area}-555-0100`)]).toEqual([area, 'validation.phone_us'])
  expect(phoneProblem('212-911-0100')).toBe('validation.phone_us')
  expect(phoneProblem('212-411-0100')).toBe('validation.phone_us')
  // New York, its overlays, Hawaii, the newest codes, Puerto Rico, Virgin Islands, Guam, Samoa and the Marianas.
  for (const area of ['201', '212', '332', '989', '808', '472', '787', '939', '340', '671', '684', '670'])
    expect([area, phoneProblem(`${area}-555-0100`)]).toEqual([area, null])
  expect(phoneDigits('1-212-555-0100')).toBe('2125550100')
  expect(formatPhone('2125550100')).toBe('212-555-0100')
})

test('a valid phone number is accepted in any common format', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^(201|415|787|989)[2-9][02-9]\d{5}$/),
      fc.constantFrom('-', ' ', '.', ''),
      (digits, sign) => {
        const written = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join(sign)
        expect(phoneProblem(written)).toBeNull()
        expect(phoneDigits(written)).toBe(digits)
      },
    ),
  )
})

test('ENR-004 an explicit consent decides; the first form infers it from a number; without a number there is none', () => {
  const v1 = config('skyharbor')
  const v2 = config('gallonaire')
  expect(smsOptInOf({ phoneNumber: '2125550100' }, v1)).toBe(true)
  expect(smsOptInOf({ phoneNumber: '', smsOptInV2: true }, v2)).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, v2)).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100', smsOptInV2: true }, v2)).toBe(true)
})

test('PART-009 the full address is required where the program says so, and never in a credit program', () => {
  const form = {
    password: 'a',
    passwordConfirm: 'a',
    partnerNumber: 'ABC123456',
    phoneNumber: '',
    address1: '',
    city: '',
    state: '',
  } as JoinForm
  const fields = (full: boolean, currencyType: 'Credit' | 'Point') =>
    joinProblems(form, { ...config('orchard'), fullAddressRequired: full, currencyType }).map(({ field }) => field)
  expect(fields(true, 'Point')).toEqual(expect.arrayContaining(['address1', 'city', 'state']))
  expect(fields(true, 'Credit')).not.toContain('address1')
  expect(fields(false, 'Point')).not.toContain('address1')
})

test('ENR-002 VAL-024 the form is sent with the consent to texts and with the passwords as they were typed', () => {
  const form = { phoneNumber: '212-555-0100', password: 'p'.repeat(70), passwordConfirm: 'p'.repeat(70) } as JoinForm
  expect(toSend(form, config('skyharbor'))).toEqual({ ...form, smsOptIn: true })
  expect(toSend({ ...form, phoneNumber: '' }, config('skyharbor')).smsOptIn).toBe(false)
  expect(toSend({ ...form, smsOptInV2: true }, config('gallonaire')).smsOptIn).toBe(true)
  expect(toSend({ ...form, smsOptInV2: false }, config('gallonaire')).smsOptIn).toBe(false)
  expect(toSend(form, config('beacon'))).not.toHaveProperty('smsOptIn')
})

test('VAL-021 consent to texts requires a phone number', () => {
  const phoneErrors = (smsOptInV2: boolean, phoneNumber: string) =>
    joinProblems({ smsOptInV2, phoneNumber } as JoinForm, config('gallonaire')).filter(
      ({ field }) => field === 'phoneNumber',
    )
  expect(phoneErrors(true, '')).toEqual([{ field: 'phoneNumber', message: 'validation.phone_for_texts' }])
  expect(phoneErrors(true, '212-555-0100')).toEqual([])
  expect(phoneErrors(false, '')).toEqual([])
})

test('ENR-006 ENR-007 VAL-020 a form of a program with passwords and partner numbers is checked field by field', () => {
  const valid = {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    password: 'sourdough 4',
    passwordConfirm: 'sourdough 4',
    partnerNumber: 'SKY12345678',
    phoneNumber: '',
  }
  const problems = (over: Partial<JoinForm>, code = 'skyharbor') =>
    joinProblems({ ...valid, ...over } as JoinForm, config(code))
  expect(problems({})).toEqual([])
  expect(problems({ password: '', passwordConfirm: '' })).toEqual([
    { field: 'password', message: 'validation.new_password_missing' },
    { field: 'passwordConfirm', message: 'validation.password_confirm_missing' },
  ])
  expect(problems({ passwordConfirm: 'sourdough 5' })).toEqual([
    { field: 'passwordConfirm', message: 'validation.passwords_differ' },
  ])
  expect(problems({ partnerNumber: '' })).toEqual([
    { field: 'partnerNumber', message: 'validation.partner_number_missing' },
  ])
  expect(problems({ partnerNumber: 'SKY1' })).toEqual([
    { field: 'partnerNumber', message: 'join.partner_number_format' },
  ])
  expect(problems({ partnerNumber: ' SKY 1234 5678 ' })).toEqual([])
  expect(problems({ phoneNumber: '12' })).toEqual([{ field: 'phoneNumber', message: 'validation.phone_format' }])
  // What the partner states is neither too long nor missing.
  const long = { email: `${'a'.repeat(39)}@example.com`, firstName: 'A'.repeat(21), lastName: '' }
  expect(problems(long)).toEqual([
    { field: 'email', message: 'validation.too_long|50|join.email' },
    { field: 'firstName', message: 'validation.too_long|20|join.first_name' },
    { field: 'lastName', message: 'validation.last_name_missing' },
  ])
  expect(problems(long, 'beacon')).toEqual([])
  // A program without passwords, partner numbers and phones asks for none of them.
  expect(problems({ password: '', passwordConfirm: 'x', partnerNumber: '', phoneNumber: '12' }, 'beacon')).toEqual([])
})

test('ENR-012 VAL-021 names are fixed with single sign-on only, and a phone number of spaces is none', () => {
  const isEditable = (code: string) => joinFields(config(code)).namesEditable
  expect(['skyharbor', 'gallonaire', 'orchard', 'beacon'].map(isEditable)).toEqual([true, true, true, false])
  expect(smsOptInOf({ phoneNumber: '  ', smsOptInV2: true }, config('gallonaire'))).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, { ...config('skyharbor'), hasSmsOptInV2: true })).toBe(false)
  expect(smsOptInOf({ phoneNumber: '2125550100' }, { ...config('beacon'), hasSmsOptInV2: false })).toBe(false)
  expect(joinProblems({ smsOptInV2: true, phoneNumber: '  ' } as JoinForm, config('gallonaire'))).toContainEqual({
    field: 'phoneNumber',
    message: 'validation.phone_for_texts',
  })
})

test('the page finds a short password, and one with the partner number, where members choose one', () => {
  const found = (code: string, password: string) =>
    joinFormProblems(
      {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        password,
        passwordConfirm: password,
        partnerNumber: 'SKY12345678',
        phoneNumber: '',
      } as JoinForm,
      config(code),
    )
  const problem = (message: string) => [{ field: 'password', message }]
  expect(found('skyharbor', 'sourdough 4')).toEqual([])
  expect(found('skyharbor', 'short')).toEqual(problem('validation.password_rules'))
  expect(found('skyharbor', 'my SKY12345678')).toEqual(problem('validation.password_partner_number'))
  expect(found('skyharbor', '')[0]).toEqual(problem('validation.new_password_missing')[0])
  expect(found('skyharbor', '')).toHaveLength(2)
  expect(found('beacon', 'short').filter(({ field }) => field === 'password')).toEqual([])
})
