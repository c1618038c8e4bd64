import { expect, test, vi } from 'vitest'
import { ApiCallError } from './api.ts'
import { takeStored } from './next-document.ts'
import { notFoundOn, redirectOn401, signInOn401, unsavedKey } from './redirects.ts'
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
  await expect(notFoundOn([404], failed(404))).rejects.toBeInstanceOf(PageNotFound)
  await expect(notFoundOn([400, 404], failed(400))).rejects.toBeInstanceOf(PageNotFound)
  await expect(notFoundOn([404], failed(400))).rejects.toMatchObject({ status: 400 })
  await expect(notFoundOn([400, 404], failed(410))).rejects.toMatchObject({ status: 410 })
  expect(await notFoundOn([404], Promise.resolve('data'))).toBe('data')
})

test('a change without a session leads to the sign-in page, and is not saved, which only the next document says, once', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  const opened: string[] = []
  const assign = (to: string) => opened.push(to)
  vi.stubGlobal('window', { location: { pathname: '/account/user_profile', search: '?a=1', assign } })
  for (const error of [new Error('a defect'), new ApiCallError(403, {})]) expect(redirectOn401(error)).toBe(false)
  expect([opened, stored.size]).toEqual([[], 0])
  expect(redirectOn401(new ApiCallError(401, {}))).toBe(true)
  expect(opened).toEqual(['/login?returnTo=%2Faccount%2Fuser_profile%3Fa%3D1'])
  expect(stored.get(unsavedKey)).toBe('1')
  // This document may still render.
  expect(takeStored(unsavedKey)).toBeNull()
  stored.set('of the document before', 'a value')
  expect([1, 2].map(() => takeStored('of the document before'))).toEqual(['a value', null])
  vi.unstubAllGlobals()
})
