import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/time.ts'
import { passwordProblems } from './password.ts'
import {
  cutPassword,
  expiredSignOut,
  isIdDue,
  lockedMinutes,
  lockoutLength,
  maxAddressFailures,
  maxLoginFailures,
  newPasswordProblem,
  newPasswordProblems,
  pathAfterSignIn,
  reauthMaxAgeMs,
  renewedIdGrace,
  renewIdAfter,
  returnTargetLength,
  sessionTimers,
  sessionTtlMs,
  signInProblems,
} from './rules.ts'
import { readSignedOut, signedOutTtlMs } from './signed-out.ts'

test('CONST-001 CONST-003 CONST-007 SESS-006 the durations of sessions and locks are those of the specification', () => {
  expect(sessionTtlMs({ remembered: false })).toBe(15 * MINUTE)
  expect(sessionTtlMs({ remembered: true })).toBe(90 * DAY)
  expect([lockoutLength, lockedMinutes]).toEqual([30 * MINUTE, 30])
  expect(returnTargetLength).toBe(60 * MINUTE)
  expect([maxLoginFailures, maxAddressFailures]).toEqual([5, 50])
  expect([renewIdAfter, renewedIdGrace]).toEqual([DAY, MINUTE])
  expect([DAY, DAY + 1].map(isIdDue)).toEqual([false, true])
  expect([reauthMaxAgeMs, signedOutTtlMs]).toEqual([10 * MINUTE, 5 * MINUTE])
})

test('SESS-002 SESS-003 timers are set for sessions that end within a day, with a warning one minute before', () => {
  expect(sessionTimers(15 * MINUTE, 0)).toEqual({ warnIn: 14 * MINUTE, endIn: 15 * MINUTE })
  expect(sessionTimers(30 * SECOND, 0)).toEqual({ warnIn: 0, endIn: 30 * SECOND })
  expect(sessionTimers(24 * HOUR, 0)).not.toBeNull()
  expect(sessionTimers(24 * HOUR + 1, 0)).toBeNull()
  expect(sessionTimers(90 * DAY, 0)).toBeNull()
  expect(sessionTimers(5, 10)).toBeNull()
})

test('CONST-004 VAL-024 a password from before was cut after 56 characters, never inside a character', () => {
  const soup = `${'a'.repeat(55)}🍜🍜`
  expect([...cutPassword(soup)]).toHaveLength(56)
  expect(cutPassword(soup).endsWith('🍜')).toBe(true)
  expect(cutPassword('é')).toBe(cutPassword('é'))
})

test('VAL-016 VAL-019 password problems are reported as message keys', () => {
  expect(passwordProblems('sourdough 4 breakfast')).toEqual([])
  expect(passwordProblems('soup4u!')).toEqual(['validation.password_rules'])
  expect(passwordProblems('password1')).toEqual(['validation.password_common'])
  expect(passwordProblems('aaaabbbb')).toEqual(['validation.password_common'])
  expect(passwordProblems('zqxzqxzqx')).toEqual(['validation.password_common'])
  expect(passwordProblems('zqxjzqxjzqxj')).toEqual([])
  expect(passwordProblems('my SKY12345678 code', { partnerNumber: 'sky12345678' })).toEqual([
    'validation.password_partner_number',
  ])
})

test('a password needs no character classes and must not consist mostly of a known name', () => {
  expect(passwordProblems('carrots and onions')).toEqual([])
  expect(passwordProblems('8141592653')).toEqual([])
  const personal = ['Ada', 'Lovelace', 'Skyharbor']
  for (const guess of ['lovelace1', 'Skyharbor24', 'LOVELACE!!']) {
    expect([guess, passwordProblems(guess, { personal })]).toEqual([guess, ['validation.password_personal']])
  }
  expect(passwordProblems('ada cooks on tuesdays', { personal })).toEqual([])
  const isRejected = (guess: string, name: string) =>
    passwordProblems(guess, { personal: [name] }).includes('validation.password_personal')
  expect([isRejected('mary7Mary', 'mary'), isRejected('amyamyam1', 'amy')]).toEqual([true, true])
  // Four letters beside the name suffice, or nine digits: more than a date.
  expect([isRejected('lovelaceabc', 'lovelace'), isRejected('lovelaceabcd', 'lovelace')]).toEqual([true, false])
  expect([isRejected('ada19901231', 'ada'), isRejected('ada199012317', 'ada')]).toEqual([true, false])
  expect(isRejected('mary7Mary', ' Mary ')).toBe(true)
})

test('VAL-025 a password is not made of the member’s names and address, together or with digits, in any case', () => {
  const guessesOf = (personal: readonly string[], guesses: readonly string[]) =>
    guesses.map((guess) => [guess, ...passwordProblems(guess, { personal })])
  const rejected = (guesses: readonly string[]) => guesses.map((guess) => [guess, 'validation.password_personal'])
  const robin = ['Robin', 'Quill', 'r.quill@example.com']
  const ofRobin = [
    'robinquill',
    'RobinQuill1',
    'quillrobin',
    'robin.quill',
    'r.quill@example.com',
    'rquill2024',
    'ROBIN-1990',
  ]
  expect(guessesOf(robin, ofRobin)).toEqual(rejected(ofRobin))
  const ofAnn = ['annlee12', 'LeeAnn19901231', 'ann lee ann', 'annl1234']
  expect(guessesOf(['Ann', 'Lee', 'annl@example.org'], ofAnn)).toEqual(rejected(ofAnn))
  const ofJose = ['josenunez', 'JoséNúñez7', 'annemarie1']
  expect(guessesOf(['José', 'Núñez', 'Anne-Marie'], ofJose)).toEqual(rejected(ofJose))
  const good = ['robin eats soup', 'quill and ink 4 two', '83610472956', 'annual leeway plan']
  expect(guessesOf([...robin, 'Ann', 'Lee'], good)).toEqual(good.map((guess) => [guess]))
})

test('the sign-out cookie is parsed safely even if another host of the domain wrote it', () => {
  expect(readSignedOut('mode=dark; signed_out=expired%20%2Faccount')).toEqual({ reason: 'expired', from: '/account' })
  expect(readSignedOut('signed_out=expired%20%2F%2Fevil.example')).toEqual({ reason: 'expired', from: '' })
  expect(readSignedOut('signed_out=%')).toEqual({ reason: 'left', from: '' })
  expect(readSignedOut('mode=dark')).toBeNull()
})

test('ENR-007 VAL-016 a new password has 8 to 56 characters and does not contain the partner number, in any case', () => {
  expect(newPasswordProblem('')).toBe('validation.new_password_missing')
  expect(newPasswordProblem('1234567')).toBe('validation.password_rules')
  expect(newPasswordProblem('12345678')).toBeNull()
  // Seven characters, although JavaScript counts fourteen.
  expect(newPasswordProblem('🍜'.repeat(7))).toBe('validation.password_rules')
  expect(newPasswordProblem('my sky123 code', 'SKY123')).toBe('validation.password_partner_number')
  expect(newPasswordProblem('my SKY123 code', 'sky123')).toBe('validation.password_partner_number')
  expect(newPasswordProblem('my other code', 'SKY123')).toBeNull()
  expect(newPasswordProblem(`sou${'🍜'.repeat(53)}`)).toBeNull()
  expect(newPasswordProblem(' '.repeat(8))).toBe('validation.password_common')
  expect(newPasswordProblem('abcABCabc')).toBe('validation.password_common')
  expect(newPasswordProblem('🍜'.repeat(57))).toBe('validation.password_rules')
})

test('VAL-020 the confirmation is typed and equal, and each problem belongs to its field', () => {
  expect(newPasswordProblems({ password: 'sourdough 4', passwordConfirm: 'sourdough 4' })).toEqual([])
  expect(newPasswordProblems({ password: 'sourdough 4', passwordConfirm: '' })).toEqual([
    { field: 'passwordConfirm', message: 'validation.password_confirm_missing' },
  ])
  expect(newPasswordProblems({ password: 'short', passwordConfirm: 'other' })).toEqual([
    { field: 'password', message: 'validation.password_rules' },
    { field: 'passwordConfirm', message: 'validation.passwords_differ' },
  ])
  expect(newPasswordProblems({ password: '', passwordConfirm: '' })).toEqual([
    { field: 'password', message: 'validation.new_password_missing' },
    { field: 'passwordConfirm', message: 'validation.password_confirm_missing' },
  ])
})

test('SESS-003 a session that ends now needs no timers', () => {
  expect([sessionTimers(10, 10), sessionTimers(11, 10)]).toEqual([null, { warnIn: 0, endIn: 1 }])
})

test('a member continues where the sign-in was needed, at the next step, or with fixing the credentials first', () => {
  const [enrolled, joining] = ['EnrolledCardMember', 'NonCardMember'].map((memberType) => ({
    memberType,
    mustFixCredentials: false,
  })) as [{ memberType: string; mustFixCredentials: boolean }, { memberType: string; mustFixCredentials: boolean }]
  expect([pathAfterSignIn(enrolled, ''), pathAfterSignIn(joining, '')]).toEqual(['/account/overview', '/add_card'])
  for (const member of [enrolled, joining]) {
    expect(pathAfterSignIn(member, '/search')).toBe('/search')
    const fixing = { ...member, mustFixCredentials: true }
    expect(pathAfterSignIn(fixing, '')).toBe('/fix_credentials')
    expect(pathAfterSignIn(fixing, '/search')).toBe('/fix_credentials?returnTo=%2Fsearch')
  }
})

test('only a program with partner numbers has its own message for a missing name', () => {
  const missing = [{ field: 'userName', message: 'validation.user_name_missing' }]
  expect(signInProblems({ userName: '' }, { hasPPN: true })).toEqual(missing)
  expect(signInProblems({ userName: 'a' }, { hasPPN: true })).toEqual([])
  expect(signInProblems({ userName: '' }, { hasPPN: false })).toEqual([])
})

test('an expired session is left for a page that leads back to the same address, with its query', () => {
  const address = { pathname: '/search', search: '?location=New+York&page=2' }
  const { pathname, searchParams } = new URL(expiredSignOut(address), 'http://any')
  expect([pathname, searchParams.get('reason'), searchParams.get('from')]).toEqual([
    '/SignOut',
    'expired',
    '/search?location=New+York&page=2',
  ])
})
