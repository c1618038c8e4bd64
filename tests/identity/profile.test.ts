import { beforeAll, expect, test } from 'vitest'
import { maxLoginFailures } from '../../src/identity/session/rules.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join, signIn } from '../support/members.ts'

const app = setUpTestApp()
beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
})

const profile = (over: Record<string, unknown> = {}) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  address1: '1 Main Street',
  address2: '',
  city: 'New York',
  state: 'NY',
  zipCode: '10001',
  phoneNumber: '',
  smsOptIn: false,
  emailOptIn: true,
  ...over,
})

let numbers = 0
const orchardMember = () => ({
  partnerNumber: `STAY${10_000_000 + ++numbers}`,
  address1: '1 Main Street',
  city: 'New York',
  state: 'NY',
})

async function newMember(partner: string, over: Record<string, unknown> = {}) {
  const { visitor, publicId } = await join(app, partner, { ...(partner === 'orchard' && orchardMember()), ...over })
  return {
    visitor,
    publicId,
    save: (changes: Record<string, unknown>) => visitor.change('PUT', '/api/Member', profile(changes)),
  }
}

const listConsents = (publicId: string) =>
  asOwner<{ channel: string; granted: boolean; source: string }>(
    app,
    `select c.channel, c.granted, c.source from consents c join members m on m.id = c.member_id
     where m.public_id = $1 and c.source = 'profile' order by c.id`,
    [publicId],
  )

test('API-007 API-008 PROF-014 PROF-022 the profile is saved as a whole, the phone as digits, and the response is the member', async () => {
  const { visitor, save } = await newMember('gallonaire')
  const response = await save({
    firstName: '  Augusta ',
    phoneNumber: '1 (212) 555-0100',
    smsOptIn: true,
    zipCode: '60601',
  })
  expect(response.status).toBe(200)
  expect(response.json()).toMatchObject({
    firstName: 'Augusta',
    phoneNumber: '2125550100',
    smsOptIn: true,
    address: { address1: '1 Main Street', city: 'New York', state: 'NY', zipCode: '60601' },
  })
  expect((await visitor.get('/api/Member')).json()).toEqual(response.json())
})

test('the audit log has the columns that a saved profile changed', async () => {
  const { publicId, save } = await newMember('gallonaire')
  await save({})
  await save({ firstName: 'Augusta', zipCode: '60601' })
  const entries = await asOwner<{ changed: string[] }>(
    app,
    `select a.detail -> 'changed' as changed from audit_entries a join members m on m.id = a.member_id
     where m.public_id = $1 and a.action = 'member.changed' order by a.id`,
    [publicId],
  )
  expect(entries[1]?.changed.toSorted()).toEqual(['first_name', 'zip_code'])
})

test('API-007 PROF-026 VAL-022 errors are reported field by field, and nothing is saved', async () => {
  const { visitor, save } = await newMember('gallonaire')
  const before = (await visitor.get('/api/Member')).json()
  const errorsOf = async (changes: Record<string, unknown>) => {
    const response = await save(changes)
    return [response.status, response.json()]
  }
  expect(await errorsOf({ firstName: 'x'.repeat(21), lastName: '' })).toEqual([
    400,
    [
      { field: 'firstName', message: 'First name may have at most 20 characters.' },
      { field: 'lastName', message: 'Enter your last name.' },
    ],
  ])
  expect(await errorsOf({ phoneNumber: '123-555-0100' })).toEqual([
    400,
    [{ field: 'phoneNumber', message: 'Invalid US based phone number.' }],
  ])
  expect(await errorsOf({ zipCode: '00000' })).toEqual([
    400,
    [{ field: 'zipCode', message: 'This ZIP code is not located in the U.S.' }],
  ])
  expect((await visitor.change('PUT', '/api/Member', { ...profile(), email: 'else@example.com' })).status).toBe(400)
  expect((await visitor.get('/api/Member')).json()).toEqual(before)
})

test('PROF-007 in a program that requires an address it cannot be removed', async () => {
  const { save } = await newMember('orchard')
  expect((await save({ address1: '', city: '', state: '' })).json()).toEqual([
    { field: 'address1', message: 'Enter your address.' },
    { field: 'city', message: 'Enter your city.' },
    { field: 'state', message: 'Choose your state.' },
  ])
  expect((await save({})).status).toBe(200)
})

test('PROF-015 PROF-016 PROF-018 changed consents are stored with their source, the tier follows, and no number means no texts', async () => {
  const { save, publicId } = await newMember('skyharbor', { partnerNumber: 'SKY44444444' })
  expect((await save({ phoneNumber: '212-555-0100', smsOptIn: true, emailOptIn: false })).json()).toMatchObject({
    smsOptIn: true,
    emailOptIn: false,
    tierLevel: 'OptedOut',
  })
  expect((await save({ phoneNumber: '', smsOptIn: true, emailOptIn: true })).json()).toMatchObject({
    smsOptIn: false,
    emailOptIn: true,
    tierLevel: 'OptedIn',
  })
  // Saving the same values again stores no consent.
  await save({ phoneNumber: '', smsOptIn: false, emailOptIn: true })
  expect(await listConsents(publicId)).toEqual([
    { channel: 'email', granted: false, source: 'profile' },
    { channel: 'sms', granted: true, source: 'profile' },
    { channel: 'email', granted: true, source: 'profile' },
    { channel: 'sms', granted: false, source: 'profile' },
  ])
  const { visitor: orchard } = await newMember('orchard')
  const before = (await orchard.get('/api/Member')).json()
  // Its forms have no such choice, so that none is taken from them.
  expect(before).toMatchObject({ emailOptIn: false, tierLevel: 'OptedOut' })
  const after = (await orchard.change('PUT', '/api/Member', profile({ emailOptIn: !before.emailOptIn }))).json()
  expect([after.emailOptIn, after.tierLevel]).toEqual([before.emailOptIn, before.tierLevel])
})

test.each(['VIP', 'NonActivated'])(
  'a consent to email changes no tier that it does not decide: %s stays',
  async (tier) => {
    const { save, publicId } = await newMember('skyharbor')
    await asOwner(app, 'update members set tier_level = $1 where public_id = $2', [tier, publicId])
    for (const emailOptIn of [false, true]) {
      expect((await save({ emailOptIn })).json()).toMatchObject({ emailOptIn, tierLevel: tier })
    }
  },
)

test('PROF-003 ROLE-012 the names of a bank’s customer stay those of the bank in every request', async () => {
  const beacon = visit(app, 'beacon')
  await beacon.token()
  const { tokenHash } = await import('../../src/platform/security/ids.ts')
  await asOwner(
    app,
    `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code)
     values ('beacon', 'bank-customer-00000001', 'bank00000001', 'family', 'bo@beacon.example', 'Bo', 'Banks', '10001')`,
  )
  await asOwner(
    app,
    `update sessions set member_id = (select id from members where email = 'bo@beacon.example') where id_hash = $1`,
    [tokenHash(beacon.cookies.get('sid') ?? '')],
  )
  const saved = await beacon.change(
    'PUT',
    '/api/Member',
    profile({ firstName: 'Eve', lastName: 'Mallory', zipCode: '60601', phoneNumber: '212-555-0100', smsOptIn: true }),
  )
  expect(saved.json()).toMatchObject({ firstName: 'Bo', lastName: 'Banks', address: { zipCode: '60601' } })
  // Nor does this program have phone numbers.
  expect(saved.json()).toMatchObject({ phoneNumber: '', smsOptIn: false })
})

test('two browsers that save at once leave one complete profile', async () => {
  const { visitor, save } = await newMember('gallonaire')
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => save({ address1: `${index} Street`, city: `Town ${index}`, state: 'NY' })),
  )
  const { address } = (await visitor.get('/api/Member')).json()
  expect(address.city).toBe(`Town ${address.address1.split(' ')[0]}`)
})

test('PROF-029 a page that is older than another one changes only what was typed in it, and takes no consent back', async () => {
  const { publicId, save } = await newMember('skyharbor')
  const shown = profile({ phoneNumber: '212-555-0143', smsOptIn: true })
  expect((await save(shown)).status).toBe(200)
  // One page takes the texts back and changes the name; the other one still shows what was before.
  expect((await save({ ...shown, firstName: 'Augusta', phoneNumber: '', smsOptIn: false, before: shown })).status).toBe(
    200,
  )
  const consents = await listConsents(publicId)
  const late = await save({ ...shown, city: 'Albany', before: shown })
  expect(late.json()).toMatchObject({
    firstName: 'Augusta',
    phoneNumber: '',
    smsOptIn: false,
    address: { city: 'Albany' },
  })
  // Spaces and another way to write a number are no change.
  await save({ ...shown, firstName: ' Ada ', phoneNumber: '(212) 555 0143', zipCode: '12207', before: shown })
  const [row] = await asOwner<Record<string, unknown>>(
    app,
    'select first_name, phone_number, sms_opt_in, city, zip_code from members where public_id = $1',
    [publicId],
  )
  expect(row).toEqual({
    first_name: 'Augusta',
    phone_number: null,
    sms_opt_in: false,
    city: 'Albany',
    zip_code: '12207',
  })
  expect(await listConsents(publicId)).toEqual(consents)
  // What was typed in both is as in the last one.
  expect((await save({ ...shown, firstName: 'Byron', before: shown })).json().firstName).toBe('Byron')
})

test('PROF-029 a changed password leaves the profile as another page has saved it', async () => {
  const { visitor, save } = await newMember('skyharbor')
  const shown = profile({})
  await save({ ...shown, city: 'Albany' })
  expect((await save({ ...shown, before: shown, password: 'chanterelles on toast' })).status).toBe(200)
  expect((await visitor.get('/api/Member')).json().address.city).toBe('Albany')
})

test('API-007 ENR-003 the same call changes the password: at most 56 characters, after re-authentication, and other sessions end', async () => {
  const { visitor, form } = await join(app, 'skyharbor')
  const other = visit(app, 'skyharbor')
  const signInWith = (password: string, who = visit(app, 'skyharbor')) => signIn(who, form.email, { password })
  expect((await signInWith(form.password, other)).status).toBe(200)
  const password = 'another kettle of fish '.repeat(2)
  const long = `${password.repeat(2).slice(0, 57)}`
  const save = (over: Record<string, unknown>) => visitor.change('PUT', '/api/Member', profile(over))
  await asOwner(app, "update sessions set authenticated_at = now() - interval '1 hour'")
  expect(await save({ password })).toMatchObject({ status: 403 })
  expect((await visitor.change('POST', '/api/Member/Prove', { password: form.password })).status).toBe(200)
  // An invalid password leaves the profile unchanged.
  for (const wrong of ['short', long]) {
    const rejected = await save({ password: wrong, firstName: 'Grace' })
    expect([rejected.status, rejected.json()]).toEqual([
      400,
      [{ field: 'password', message: 'Use 8 to 56 characters.' }],
    ])
  }
  expect((await visitor.get('/api/Member')).json()).toMatchObject({ firstName: 'Ada' })
  expect((await save({ password, firstName: 'Grace' })).json()).toMatchObject({ firstName: 'Grace' })
  expect((await signInWith(form.password)).status).toBe(401)
  expect((await signInWith(password)).status).toBe(200)
  expect((await other.get('/api/Member')).status).toBe(401)
  expect((await visitor.get('/api/Member')).status).toBe(200)
  const emails = await asOwner<{ body_text: string }>(
    app,
    "select body_text from emails where recipient = $1 and topic = 'recovery.changed'",
    [form.email],
  )
  expect(emails).toHaveLength(1)
  // The session in which it was changed continues.
  expect(emails[0]?.body_text).toContain('You are still signed in where you changed it')
  expect(emails[0]?.body_text).toContain(`${app.origin('skyharbor')}/account/security`)
})

test('Case 32 a changed password takes the privilege of known browsers: strangers can lock them out as any other', async () => {
  const { visitor, form } = await join(app, 'skyharbor')
  const phone = visit(app, 'skyharbor')
  await signIn(phone, form.email)
  const lockName = async () => {
    for (let attempt = 0; attempt < maxLoginFailures; attempt++)
      await signIn(visit(app, 'skyharbor'), form.email, { password: 'a guess' })
  }
  await lockName()
  expect((await signIn(phone, form.email)).status).toBe(200)
  const password = 'another kettle of fish'
  expect((await visitor.change('PUT', '/api/Member', profile({ password }))).status).toBe(200)
  expect((await signIn(phone, form.email, { password })).status).toBe(403)
})
