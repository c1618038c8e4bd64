import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changePage } from './view-transition.ts'

const card = { style: { viewTransitionName: '' } }
let page: { cardOf: string | null; hasImage: boolean }
let begun: { work: () => Promise<void>; skipTransition: () => void; end: () => void }[]
let names: string[]

beforeEach(() => {
  page = { cardOf: '/merchants/kumo', hasImage: false }
  begun = []
  names = []
  card.style.viewTransitionName = ''
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('document', {
    querySelector(selector: string) {
      if (selector.includes('data-page-image')) return page.hasImage ? {} : null
      return page.cardOf !== null && selector.includes(`"${page.cardOf}"`) ? card : null
    },
    startViewTransition(work: () => Promise<void>) {
      const { promise: finished, resolve: end } = Promise.withResolvers<void>()
      names.push(card.style.viewTransitionName)
      begun.push({ work, skipTransition: vi.fn(), end })
      return Object.assign(begun.at(-1) as object, { finished, ready: Promise.reject(new Error('skipped')) })
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise((resolve) => setTimeout(resolve))
const toList = async () => void Object.assign(page, { cardOf: '/merchants/kumo', hasImage: false })
const toMerchant = async () => void Object.assign(page, { cardOf: null, hasImage: true })

test('the image of a card has the name of its page\u2019s image while the page changes, in both directions', async () => {
  changePage('/search', '/merchants/kumo', toMerchant)
  await begun[0]?.work()
  expect([names, card.style.viewTransitionName, page.hasImage]).toEqual([['page-image'], '', true])
  changePage('/merchants/kumo', '/search', toList)
  await begun[1]?.work()
  expect([names[1], card.style.viewTransitionName, page.hasImage]).toEqual(['', 'page-image', false])
  begun[1]?.end()
  await settled()
  expect(card.style.viewTransitionName).toBe('')
})

test('a newer navigation ends the animation of an earlier one, and both are rendered', async () => {
  const render = vi.fn(toMerchant)
  changePage('/search', '/merchants/kumo', render)
  changePage('/search', '/earn', render)
  expect(begun.map(({ skipTransition }) => vi.mocked(skipTransition).mock.calls.length)).toEqual([1])
  // The browser calls the work of a skipped animation, too.
  await begun[0]?.work()
  expect(render).toHaveBeenCalledTimes(2)
})

test('a page is rendered at once when no image is shared, motion is reduced, or the browser has no view transitions', () => {
  const render = vi.fn(async () => {})
  changePage('/search', '/earn', render)
  expect(render).toHaveBeenCalledTimes(1)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  changePage('/search', '/merchants/kumo', render)
  expect(render).toHaveBeenCalledTimes(2)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('document', { querySelector: () => card })
  changePage('/search', '/merchants/kumo', render)
  expect([render.mock.calls.length, begun.length]).toEqual([3, 0])
})
