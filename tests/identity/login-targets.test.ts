import { expect, test } from 'vitest'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

test('ROUTE-045 /Login of a program with passwords keeps where the person wanted to go, and only within the program', async () => {
  const targetOf = async (path: string) => (await visit(app, 'gallonaire').get(path)).headers.location
  expect(await targetOf('/Login?returnTo=%2Faccount%2Fprivacy')).toBe('/login?returnTo=%2Faccount%2Fprivacy')
  expect(await targetOf('/Login')).toBe('/login')
  expect(await targetOf('/Login?returnTo=%2F%2Fevil.example')).toBe('/login')
})
