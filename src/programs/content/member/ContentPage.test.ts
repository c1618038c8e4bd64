import { expect, test, vi } from 'vitest'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { QueryCache } from '../../../platform/browser/query-cache.ts'
import { PageNotFound } from '../../../platform/browser/router/redirect.ts'
import { load } from './ContentPage.tsx'

/** Loads a content page; returns the names of the collections that it has requested. */
async function collectionsOf(path: string, config: object, fails = false): Promise<string[]> {
  const requested: string[] = []
  const call = async (_call: unknown, { params }: { params: { contentName: string } }) => {
    requested.push(params.contentName)
    if (fails) throw new ApiCallError(500, { code: 'x', title: 'no' })
    return { data: [{ slug: 'news', fields: { url: '/partner-news' } }] }
  }
  const url = new URL(path, 'https://dining.example')
  await load({ api: { call }, cache: new QueryCache(), url, config, preview: false } as never)
  return requested
}

const discover = { cmsRoute: '/api/cms', homePage: 'Discover', hasDiscoverPage: true }

test('the front page is the discover page only where the program has one and wants it there', async () => {
  expect(await collectionsOf('/', discover)).toEqual(['discover'])
  expect(await collectionsOf('/', { ...discover, hasDiscoverPage: false })).toEqual(['home'])
  expect(await collectionsOf('/', { ...discover, homePage: 'HowItWorks' })).toEqual(['home'])
  expect(await collectionsOf('/discover', { ...discover, homePage: 'HowItWorks' })).toEqual(['discover'])
})

test('a page that is not in the content does not exist, unless the content could not be loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await collectionsOf('/partner-news', discover)).toEqual(['earn_details'])
  await expect(collectionsOf('/other-news', discover)).rejects.toThrow(PageNotFound)
  expect(await collectionsOf('/other-news', discover, true)).toEqual(['earn_details'])
})
