import { expect, test } from 'vitest'
import { ApiCallError } from './api.ts'
import { notFoundOn404, signInOn401 } from './redirects.ts'
import { PageNotFound, Redirect } from './router/redirect.ts'

const failed = (status: number) => Promise.reject(new ApiCallError(status, { code: 'x' }))

test('a page that needs a member redirects to the sign-in page, which returns to it with its query', async () => {
  const url = new URL('http://app.example/account/recent_activity?page=2&type=bonus#top')
  await expect(signInOn401(failed(401), url)).rejects.toEqual(
    new Redirect('/login?returnTo=%2Faccount%2Frecent_activity%3Fpage%3D2%26type%3Dbonus'),
  )
  await expect(signInOn401(failed(403), url)).rejects.toMatchObject({ status: 403 })
  expect(await signInOn401(Promise.resolve('data'), url)).toBe('data')
})

test('a page whose data does not exist is the not-found page, and any other failure stays one', async () => {
  await expect(notFoundOn404(failed(404))).rejects.toBeInstanceOf(PageNotFound)
  await expect(notFoundOn404(failed(410))).rejects.toMatchObject({ status: 410 })
  expect(await notFoundOn404(Promise.resolve('data'))).toBe('data')
})
