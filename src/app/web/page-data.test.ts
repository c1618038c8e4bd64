import { expect, test } from 'vitest'
import { loaderScript } from './page-data.ts'

/** Runs the loader script in a page; returns what it requests, and how to make the page's events happen. */
function openPage({ hidden = false } = {}) {
  const requested: string[] = []
  const script = {
    address: '',
    get src() {
      return this.address
    },
    set src(address: string) {
      this.address = address
      requested.push(address)
    },
  }
  const links = { content: 'links', replaceWith: (content: string) => requested.push(content) }
  const added: unknown[] = []
  const document = {
    hidden,
    currentScript: { previousElementSibling: links, after: (element: unknown) => added.push(element) },
    createElement: () => script,
  }
  const events = new EventTarget()
  const frames: (() => void)[] = []
  const observers: (() => void)[] = []
  const timers: [() => void, number][] = []
  const page = {
    document,
    addEventListener: events.addEventListener.bind(events),
    PerformanceObserver: class {
      callback: () => void
      constructor(callback: () => void) {
        this.callback = callback
      }
      observe() {
        observers.push(this.callback)
      }
    },
    requestAnimationFrame: (work: () => void) => frames.push(work),
    setTimeout: (work: () => void, ms: number) => timers.push([work, ms]),
  }
  new Function(...Object.keys(page), loaderScript('/entry.js'))(...Object.values(page))
  return {
    requested,
    added,
    script,
    timers,
    happen: (name: string) => events.dispatchEvent(new Event(name)),
    paint: () => {
      for (const work of [...frames.splice(0), ...observers.splice(0)]) work()
    },
  }
}

const all = ['links', '/entry.js']

test('scripts are requested once the first screen is loaded and painted; their element is in the page before', () => {
  const { requested, added, script, happen, paint, timers } = openPage()
  expect([added, requested]).toEqual([[script], []])
  paint()
  happen('load')
  paint()
  expect(requested).toEqual([])
  paint()
  expect(requested).toEqual(all)
  happen('pointerdown')
  for (const [work] of timers) work()
  expect(requested).toEqual(all)
})

test('a press or a key requests the scripts at once, and so do a hidden page and three seconds without the load event', () => {
  for (const name of ['pointerdown', 'keydown']) {
    const { requested, happen } = openPage()
    happen(name)
    expect([name, requested]).toEqual([name, all])
  }
  const hidden = openPage({ hidden: true })
  hidden.happen('load')
  expect(hidden.requested).toEqual(all)
  const slow = openPage()
  const [[work, ms] = []] = slow.timers
  work?.()
  expect([ms, slow.requested]).toEqual([3_000, all])
})
