import { beforeAll, expect, test } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember, signIn } from '../support/members.ts'

const app = setUpTestApp()
beforeAll(() => withoutBotCheck('gallonaire', app))

const emailsTo = async (recipient: string, topic: string) =>
  (await asOwner(app, 'select 1 from emails where recipient = $1 and topic = $2', [recipient, topic])).length

test('SESS-027 signing out everywhere else sends nothing when nothing was there to end', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const endOthers = async () => (await visitor.change('DELETE', '/api/Member/Sessions')).status
  // The code that was sent at joining ends.
  expect([await endOthers(), await emailsTo(form.email, 'session.others-ended')]).toEqual([200, 1])
  expect([await endOthers(), await emailsTo(form.email, 'session.others-ended')]).toEqual([200, 1])
  // Counterpart: a session ends.
  await signIn(visit(app, 'gallonaire'), form.email)
  expect([await endOthers(), await emailsTo(form.email, 'session.others-ended')]).toEqual([200, 2])
})

test('SESS-027 Case 127 of a member’s emails of one kind at most five are sent within an hour, and other kinds are sent still', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const newBrowser = () => signIn(visit(app, 'gallonaire'), form.email)
  for (let count = 0; count < 7; count++) expect((await newBrowser()).status).toBe(200)
  expect(await emailsTo(form.email, 'session.new-device')).toBe(5)
  await visitor.change('DELETE', '/api/Member/Sessions')
  expect(await emailsTo(form.email, 'session.others-ended')).toBe(1)
  // The next hour has its own.
  await asOwner(app, "update emails set created_at = created_at - interval '61 minutes' where recipient = $1", [
    form.email,
  ])
  await newBrowser()
  expect(await emailsTo(form.email, 'session.new-device')).toBe(6)
})

test('SESS-027 Case 127 a password that is changed again and again sends five emails within an hour', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const { firstName, lastName, zipCode } = form
  const profile = { firstName, lastName, zipCode, address1: '1 Main Street', city: 'New York', state: 'NY' }
  for (let count = 0; count < 7; count++) {
    const password = `chanterelles ${count} on toast`
    expect((await visitor.change('PUT', '/api/Member', { ...profile, password })).status).toBe(200)
  }
  expect(await emailsTo(form.email, 'recovery.changed')).toBe(5)
})
