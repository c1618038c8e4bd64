import { within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

test('ROUTE-020 SURV-011 the result pages of surveys show success or error', async () => {
  const { visitor } = await openPage(app, 'skyharbor', '/surveys/error')
  expect(within(document.body).getByText('There was an issue processing your survey.')).toBeVisible()
  await openPage(app, 'skyharbor', '/surveys/success')
  expect(within(document.body).getByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect((await visitor.get('/surveys', { accept: 'text/html' })).status).toBe(404)
})
