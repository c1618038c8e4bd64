import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateCode, plainCode } from '../../platform/typed-code.ts'
import { codeCharacters, generateDigits, isUserName, recoverProblems, typedDigits, userNameProblem } from './rules.ts'

const direct = { hasPPN: true, partnerNumberPattern: '^SKY\\d{8}$' }

test('RECV-002 a user name is an email address, or a partner number where the program has them', () => {
  expect(isUserName('ada@example.com', direct)).toBe(true)
  expect(isUserName(' SKY12345678 ', direct)).toBe(true)
  expect(isUserName('SKY12345678', { ...direct, hasPPN: false })).toBe(false)
  for (const text of ['', 'ada', 'ada@', '@example.com', 'ada@example', 'SKY1'])
    expect(isUserName(text, direct)).toBe(false)
})

test('a code is readable and has 130 bits', () => {
  const codes = new Set(Array.from({ length: 500 }, () => generateCode(randomBytes, codeCharacters)))
  expect(codes.size).toBe(500)
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]$/)
})

test('a code is normalized regardless of case, spaces and look-alike characters', () => {
  const [code = ''] = [generateCode(() => Uint8Array.from({ length: 26 }, (_, index) => index % 2), codeCharacters)]
  expect(plainCode(code)).toBe('01'.repeat(13))
  expect(plainCode(` ${code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `)).toBe('01'.repeat(13))
})

test('RECV-001 a code has six digits, with leading zeros, and is accepted with spaces and hyphens', () => {
  expect(generateDigits(() => 42)).toBe('000042')
  expect(generateDigits((limit) => limit - 1)).toBe('999999')
  for (const typed of ['482913', ' 482 913 ', '482-913']) expect(typedDigits(typed)).toBe('482913')
  for (const typed of ['48291', '4829133', '48291a', '7K3MD-0QX9T']) expect(typedDigits(typed)).toBeNull()
})

test('RECV-002 an empty and an invalid name have their own messages, by what the program accepts', () => {
  const email = { ...direct, hasPPN: false }
  expect([userNameProblem(' ', direct), userNameProblem('', email)]).toEqual([
    'validation.user_name_missing',
    'validation.email_missing',
  ])
  expect([userNameProblem('ada', direct), userNameProblem('ada', email)]).toEqual([
    'recovery.name_invalid',
    'recovery.name_invalid_email',
  ])
  expect([userNameProblem('SKY12345678', direct), userNameProblem('ada@example.com', email)]).toEqual([null, null])
  expect(recoverProblems({ userName: 'ada' }, email)).toEqual([
    { field: 'userName', message: 'recovery.name_invalid_email' },
  ])
  expect(recoverProblems({ userName: 'ada@example.com' }, email)).toEqual([])
})

test('RECV-002 spaces around an address do not count, and spaces within it are wrong', () => {
  const email = { ...direct, hasPPN: false }
  expect(isUserName(' ada@example.com ', email)).toBe(true)
  for (const text of ['ada love@example.com', 'ada@example.com x@y.z', `${'a'.repeat(65)}@example.com`])
    expect([text, isUserName(text, email)]).toEqual([text, false])
})
