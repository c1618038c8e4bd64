import { expect, test } from 'vitest'
import { unescapeHtml } from '../src/platform/html.ts'
import { signInPage, waysBack } from './sign-in-page.ts'
import { sampleUsers } from './users.ts'

const view = { uid: 'a-sign-in', clientName: 'Bank', userName: '', error: null, users: sampleUsers, nonce: 'a-nonce' }

test('the form and the way back belong to the sign-in, and each field has its label', () => {
  const page = signInPage(view)
  expect(page).toContain('<form method="post" action="/interaction/a-sign-in/login">')
  expect(page).toContain('<a href="/interaction/a-sign-in/abort">')
  const fields = [...page.matchAll(/<label for="(\w+)">([^<]*)<\/label><input id="\1" name="(\w+)"[^>]*>/g)]
  expect(fields.map(([tag, , label, name]) => [label, name, /autocomplete="([^"]*)"/.exec(tag)?.[1]])).toEqual([
    ['User name', 'userName', 'username'],
    ['Password', 'password', 'current-password'],
  ])
})

test('only a rejected sign-in has an alert, with the user name that was typed', () => {
  expect(signInPage(view)).not.toContain('role="alert"')
  const again = signInPage({ ...view, userName: 'ada@beacon.example', error: 'Wrong user name or password.' })
  expect(again).toContain('<p role="alert" class="error">Wrong user name or password.</p>')
  expect(again).toContain('value="ada@beacon.example"')
})

test('the sample customers are listed with the passwords that open the form, or not at all', () => {
  const listed = (users: typeof sampleUsers) =>
    [...signInPage({ ...view, users }).matchAll(/<tr><td>([^<]*)<\/td><td>([^<]*)<\/td><\/tr>/g)].map(
      ([, name = '', password = '']) => [unescapeHtml(name), unescapeHtml(password)],
    )
  expect(listed(sampleUsers)).toEqual(sampleUsers.map(({ userName, password }) => [userName, password]))
  expect(signInPage({ ...view, users: [] })).not.toContain('Sample customers')
})

test('the ways back are the home pages of the programs, by their names', () => {
  const redirectUris = ['https://bank.example/Login/Callback']
  const page = waysBack([{ name: 'Bank & Sons', redirectUris }])
  expect(page).toBe('<p><a href="https://bank.example/">Back to Bank &amp; Sons</a></p>')
})
