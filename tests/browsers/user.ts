import { mkdirSync, writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { Driver, InputSource } from './driver.ts'
import { hasDrawn, locate, locateFrame, type Target } from './page-functions.ts'

/** WebDriver's codes of keys without a character. */
export const keys = { enter: '\uE007', escape: '\uE00C', tab: '\uE004' }

const folder = 'test-results/browsers'

/** A person with keyboard and pointer in front of a browser. Every step waits until it is possible. */
export function createUser(driver: Driver, { width, name }: { width: number; name: string }) {
  const height = 900

  /** Polls a function of the page until it accepts; a page that is being replaced is asked again. */
  async function until<A extends unknown[], R>(
    what: string,
    run: (...args: A) => R,
    args: A,
    accepts: (value: R) => boolean,
    frame?: string,
  ): Promise<R> {
    let last: { value: R } | undefined
    const attempt = async () => {
      last = undefined
      try {
        const value = await driver.evaluate(run, args, frame)
        last = { value }
        return accepts(value) ? 'done' : `${what}: ${JSON.stringify(value)}`
      } catch (error) {
        return `${what}: ${(error as Error).message}`
      }
    }
    await expect.poll(attempt, { message: what, intervals: [50, 100, 200] }).toBe('done')
    return (last as unknown as { value: R }).value
  }

  const isPlace = (place: unknown): place is { x: number; y: number } => typeof place === 'object' && place !== null

  /** Returns where a control is in the viewport of its document, once it does not move any more. */
  async function placeOf(target: Target): Promise<{ x: number; y: number }> {
    let before = ''
    const rests = (place: unknown) => {
      const same = JSON.stringify(place) === before
      before = JSON.stringify(place)
      return isPlace(place) && same
    }
    const label = `${target.role} "${target.name}"`
    if (target.frame !== undefined) await until(target.frame, locateFrame, [target.frame], rests)
    return (await until(label, locate, [target], rests, target.frame)) as { x: number; y: number }
  }

  const press = (value: string): InputSource => ({
    type: 'key',
    id: 'keyboard',
    actions: [...value].flatMap((each) => [
      { type: 'keyDown', value: each },
      { type: 'keyUp', value: each },
    ]),
  })

  async function click(target: Target): Promise<void> {
    const { x, y } = await placeOf(target)
    const source: InputSource = {
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    }
    await driver.perform([source], target.frame)
  }

  async function resize(to: number): Promise<void> {
    await driver.resize(to, height)
    await until(`a width of ${to}`, hasDrawn, [to], Boolean)
  }

  return {
    click,
    async open(url: string): Promise<void> {
      await driver.open(url)
      await until(
        'a page',
        () => document.readyState,
        [],
        (state) => state === 'complete',
      )
    },
    /** Clicks into a field and types. */
    async type(target: Target, text: string): Promise<void> {
      await click(target)
      await driver.perform([press(text)], target.frame)
    },
    /** Types where the focus is: in the page, or in this frame. */
    async key(value: string, frame?: string): Promise<void> {
      await driver.perform([press(value)], frame)
    },
    /** Waits for a visible text, in small or capital letters, because themes choose them. */
    async sees(text: string | RegExp, frame?: string): Promise<void> {
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
      const read = () => document.body.innerText.replace(/\s+/g, ' ')
      const matches = (shown: string) =>
        typeof text === 'string' ? shown.toLowerCase().includes(text.toLowerCase()) : text.test(shown)
      await until(String(text), read, [], matches, frame)
    },
    async isAt(path: string | RegExp): Promise<string> {
      const read = () => location.pathname + location.search
      return until(`address ${path}`, read, [], (at) => (typeof path === 'string' ? at === path : path.test(at)))
    },
    /** Returns the value of a function of the page, once it is not null. */
    async read<R>(what: string, run: () => R | null): Promise<R> {
      return (await until(what, run, [], (value) => value !== null)) as R
    },
    resize,
    /** Stores screenshots in two widths. Fails when the page is wider than the window, or an image is broken. */
    async look(step: string): Promise<void> {
      mkdirSync(folder, { recursive: true })
      for (const each of [375, 1280]) {
        await resize(each)
        const overflow = () => document.documentElement.scrollWidth - innerWidth
        await until(`no overflow of ${step} at ${each}`, overflow, [], (pixels) => pixels <= 0)
        const isLoaded = () =>
          document.fonts.status === 'loaded' &&
          document.querySelector('form > fieldset:disabled') === null &&
          [...document.images].every(({ complete, loading, naturalWidth }) =>
            complete ? naturalWidth > 0 : loading === 'lazy',
          )
        await until('fonts, images and forms', isLoaded, [], Boolean)
        writeFileSync(`${folder}/${name}-${step}-${each}.png`, await driver.screenshot())
      }
      await resize(width)
    },
  }
}
