import { beforeAll, expect, test, vi } from 'vitest'
import { withoutBotCheck } from '../support/app.ts'
import { newMember, recoveryCodeOf } from '../support/members.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'
import { fill } from '../support/page-forms.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const [common, easy] = [
  'This password is too common. Please choose another one.',
  'This password is easy to guess from your details. Please add a few words.',
]

const passwordOf = () => {
  const [field] = document.querySelectorAll<HTMLInputElement>('input[autocomplete=new-password]')
  if (!field) throw new Error('no new password')
  return field
}

/** Types passwords, leaves the field, and expects what is then said about each. Nothing is submitted. */
async function expectSaid(page: OpenPage, said: readonly (readonly [password: string, problem: string])[]) {
  for (const [password, problem] of said) {
    const before = page.calls('POST /api/Members/Validate/Password').length
    await fill(page.user, passwordOf(), password)
    await page.user.tab()
    if (password.length >= 8)
      await vi.waitFor(() => {
        expect(page.calls('POST /api/Members/Validate/Password')).toHaveLength(before + 1)
      }, 20_000)
    await vi.waitFor(() => expect([password, errorOf()]).toEqual([password, problem]), 20_000)
  }
}

const errorOf = () => document.getElementById(`${passwordOf().id}-error`)?.textContent

test('VAL-027 whoever joins learns on leaving the field that a password is easy to guess', async () => {
  const page = await openPage(app, 'gallonaire', '/join')
  await fill(page.user, page.screen.getByLabelText(/^First name/), 'Robin')
  await fill(page.user, page.screen.getByLabelText(/^Last name/), 'Quill')
  await expectSaid(page, [
    ['password1', common],
    ['kettle', 'Use 8 to 56 characters.'],
    ['RobinQuill1', easy],
    ['sourdough 4 breakfast', ''],
  ])
  expect(page.requests.filter(({ path }) => path.includes('password1'))).toEqual([])
})

test('VAL-027 the same is said where a password is changed, and where a forgotten one is replaced', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire', { firstName: 'Robin', lastName: 'Quill' })
  const security = await openPage(app, 'gallonaire', '/account/security', { visitor })
  await expectSaid(security, [
    ['password1', common],
    ['robinquill', easy],
    ['chanterelles on toast', ''],
  ])
  const recover = await security.goto('/recover')
  await fill(recover.user, recover.screen.getByLabelText(/^Email address/), form.email)
  await recover.user.click(recover.screen.getByRole('button', { name: 'Send me a code' }))
  const confirm = await recover.goto(`/recover/confirm#code=${await recoveryCodeOf(app, form.email)}`)
  await confirm.user.click(await confirm.screen.findByRole('button', { name: 'Continue' }))
  await vi.waitFor(() => expect(confirm.address).toBe('/recover/update'), 20_000)
  await confirm.screen.findByRole('button', { name: 'Save new password' })
  await expectSaid(confirm, [
    ['password1', common],
    ['chanterelles on toast', ''],
  ])
})

test('VAL-027 a check that fails says nothing: the form itself checks again', async () => {
  const responder = ({ path }: { path: string }) =>
    path === '/api/Members/Validate/Password' ? { status: 500, body: {} } : undefined
  const page = await openPage(app, 'gallonaire', '/join', { responder, tolerated: /500/ })
  await expectSaid(page, [['password1', '']])
})
