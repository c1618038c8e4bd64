import '@testing-library/jest-dom/vitest'
import { configure, fireEvent, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { nextTurns, openWindow, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

type Show = typeof import('../support/component-page.tsx').showComponent

/** Opens a window with one component, which ends with the test. */
async function open(...[name, props]: Parameters<Show>) {
  const { window } = openWindow({
    url: 'http://components.localhost/',
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: () => {},
  })
  const { showComponent } = await import('../support/component-page.tsx')
  const { end, show, ...shown } = showComponent(name, props)
  await nextTurns()
  onTestFinished(async () => {
    end()
    await nextTurns()
    await window.happyDOM.close()
  })
  return {
    ...shown,
    screen: within(document.body),
    user: userEvent.setup({ document }),
    async change(next: object) {
      show(next)
      await nextTurns()
    },
    async end() {
      end()
      await nextTurns()
    },
  }
}

/** Replaces what the DOM measures of every element; it has no layout. */
function measureAs(sizes: Record<string, number>): void {
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { value, configurable: true, writable: true })
  onTestFinished(() => {
    for (const name of Object.keys(sizes)) Reflect.deleteProperty(HTMLElement.prototype, name)
  })
}

test('A11Y-013 a success disappears after ten seconds, and everything else stays until it is dismissed', async () => {
  const { screen, showToast } = await open('toasts')
  const region = (live: string) => document.querySelector(`[aria-live=${live}]`) as HTMLElement
  const regions = ['assertive', 'polite'].map(region)
  expect(regions.map(({ textContent }) => textContent)).toEqual(['', ''])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  showToast({ kind: 'success', message: 'saved' })
  showToast({ kind: 'warning', message: 'unchanged' })
  showToast({ kind: 'error', message: 'failed' })
  await nextTurns()
  vi.advanceTimersByTime(9_999)
  await nextTurns()
  // In the regions that were there before.
  expect(regions.map(({ textContent }) => textContent)).toEqual(['failed', 'savedunchanged'])
  expect(regions.map(({ isConnected }) => isConnected)).toEqual([true, true])
  vi.advanceTimersByTime(1)
  await nextTurns()
  expect(screen.queryByText('saved')).toBeNull()
  vi.advanceTimersByTime(60_000)
  await nextTurns()
  expect(screen.getByText('unchanged')).toBeVisible()
  fireEvent.click(within(region('polite')).getByRole('button', { name: 'Dismiss' }))
  await nextTurns()
  expect([screen.queryByText('unchanged'), screen.queryByText('failed') !== null]).toEqual([null, true])
})

test('A11Y-013 a success stays while the pointer or the focus is in it, and has its whole time afterwards', async () => {
  const { screen, showToast } = await open('toasts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  showToast({ kind: 'success', message: 'saved' })
  await nextTurns()
  for (const [hold, release] of [
    [fireEvent.mouseOver, fireEvent.mouseOut],
    [fireEvent.focusIn, fireEvent.focusOut],
  ] as const) {
    const dismiss = screen.getByRole('button', { name: 'Dismiss' })
    const target = hold === fireEvent.mouseOver ? (dismiss.closest('section') as HTMLElement) : dismiss
    hold(target)
    await nextTurns()
    vi.advanceTimersByTime(60_000)
    await nextTurns()
    expect(screen.getByText('saved')).toBeVisible()
    release(target)
    await nextTurns()
    vi.advanceTimersByTime(9_999)
    await nextTurns()
    expect(screen.getByText('saved')).toBeVisible()
  }
  vi.advanceTimersByTime(1)
  await nextTurns()
  expect(screen.queryByText('saved')).toBeNull()
})

test('a notification replaces the one with the same id, with a time of its own, and ends when it is selected', async () => {
  const { screen, showToast } = await open('toasts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  showToast({ id: 'profile', kind: 'success', message: 'first' })
  await nextTurns()
  vi.advanceTimersByTime(9_000)
  const onSelect = vi.fn()
  showToast({ id: 'profile', kind: 'success', message: 'second', onSelect })
  await nextTurns()
  expect(screen.queryByText('first')).toBeNull()
  vi.advanceTimersByTime(9_999)
  await nextTurns()
  fireEvent.click(screen.getByRole('button', { name: 'second' }))
  await nextTurns()
  expect([onSelect.mock.calls.length, screen.queryByText('second')]).toEqual([1, null])
})

test('a dialog closes by a press beside it and not by one in it, once, and its opener has the focus again', async () => {
  const { screen, user, reports } = await open('dialog')
  const opener = screen.getByRole('button', { name: 'open' })
  await user.click(opener)
  const dialog = await screen.findByRole('dialog', { name: 'Title' })
  expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
  fireEvent.click(screen.getByText('Content'))
  expect([dialog.hasAttribute('open'), reports]).toEqual([true, []])
  // The second press of a double one lands beside a dialog that the first one has made smaller.
  fireEvent.click(dialog)
  await nextTurns()
  expect([dialog.hasAttribute('open'), reports]).toEqual([true, []])
  await new Promise((resolve) => setTimeout(resolve, 600))
  fireEvent.click(dialog)
  await vi.waitFor(() => expect(dialog).not.toHaveAttribute('open'), 20_000)
  expect(opener).toHaveFocus()
  expect(reports[0]).toBe('closed')
})

test('a dialog that is removed while it is open returns the focus', async () => {
  const { screen, user } = await open('dialog')
  const opener = screen.getByRole('button', { name: 'open' })
  await user.click(opener)
  await user.click(await screen.findByRole('button', { name: 'remove' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(opener).toHaveFocus()
})

test('a late close event of a dialog that is open again does not close it', async () => {
  const { screen, user, reports } = await open('dialog')
  await user.click(screen.getByRole('button', { name: 'open' }))
  const dialog = await screen.findByRole('dialog', { name: 'Title' })
  dialog.dispatchEvent(new Event('close'))
  await nextTurns()
  expect([dialog.hasAttribute('open'), reports]).toEqual([true, []])
})

test('an explanation shows on hover, focus and touch, and hides when these end and on Escape', async () => {
  const { screen, user } = await open('tooltip')
  const sign = screen.getByRole('button', { name: 'More' })
  const bubble = () => screen.getByText('An explanation').dataset.open
  expect(sign).toHaveAccessibleDescription('An explanation')
  expect(bubble()).toBe('false')
  await user.hover(sign)
  await vi.waitFor(() => expect(bubble()).toBe('true'), 20_000)
  await user.unhover(sign)
  await vi.waitFor(() => expect(bubble()).toBe('false'), 20_000)
  await user.tab()
  await vi.waitFor(() => expect(bubble()).toBe('true'), 20_000)
  // A touch gives the focus first: the press that follows must not hide it.
  fireEvent.click(sign)
  await nextTurns()
  expect(bubble()).toBe('true')
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(bubble()).toBe('false'), 20_000)
  fireEvent.click(sign)
  await vi.waitFor(() => expect(bubble()).toBe('true'), 20_000)
  await user.tab()
  await vi.waitFor(() => expect(bubble()).toBe('false'), 20_000)
})

test.each([
  [{ left: -20, right: 200 }, '28px'],
  [{ left: 900, right: 1300 }, '-28px'],
  [{ left: 100, right: 300 }, ''],
])('an explanation that is at %o moves into a window of 1280 pixels by %s', async (place, shift) => {
  const { screen, user } = await open('tooltip')
  measureAs({ clientWidth: 1280 })
  const bubble = screen.getByText('An explanation')
  bubble.getBoundingClientRect = () => place as DOMRect
  await user.hover(screen.getByRole('button', { name: 'More' }))
  await vi.waitFor(() => expect(bubble.dataset.open).toBe('true'), 20_000)
  expect(bubble.style.getPropertyValue('translate') || (bubble.style as { translate?: string }).translate || '').toBe(
    shift,
  )
})

test('an explanation that was moved into the window returns to its place when it is opened where it fits', async () => {
  const { screen, user } = await open('tooltip')
  measureAs({ clientWidth: 1280 })
  const bubble = screen.getByText('An explanation')
  const sign = screen.getByRole('button', { name: 'More' })
  const shifts: string[] = []
  for (const place of [
    { left: -20, right: 200 },
    { left: 100, right: 300 },
  ]) {
    bubble.getBoundingClientRect = () => place as DOMRect
    await user.hover(sign)
    await vi.waitFor(() => expect(bubble.dataset.open).toBe('true'), 20_000)
    shifts.push((bubble.style as { translate?: string }).translate ?? '')
    await user.unhover(sign)
    await vi.waitFor(() => expect(bubble.dataset.open).toBe('false'), 20_000)
  }
  expect(shifts).toEqual(['28px', ''])
})

test('the lock keys that are on are announced, each alone and both, until they are off', async () => {
  const { screen } = await open('password')
  const field = screen.getByLabelText('Password')
  const announced = async (type: 'keyDown' | 'keyUp', ...on: string[]) => {
    const event = new KeyboardEvent(type.toLowerCase(), { bubbles: true, key: 'a' })
    Object.defineProperty(event, 'getModifierState', { value: (name: string) => on.includes(name) })
    field.dispatchEvent(event)
    await nextTurns()
    return screen.getByRole('status').textContent
  }
  expect([
    await announced('keyDown', 'CapsLock'),
    await announced('keyDown', 'NumLock'),
    await announced('keyDown', 'CapsLock', 'NumLock'),
    await announced('keyUp', 'NumLock'),
    await announced('keyUp'),
  ]).toEqual(['caps lock', 'num lock', 'both locks', 'num lock', ''])
})

/** Opens a row of cards with a width of 1000 pixels of which 400 are visible. */
async function openRow(items?: number) {
  const measured: (() => void)[] = []
  const observed: Element[] = []
  const page = await open('carousel', {})
  globalThis.ResizeObserver = class {
    constructor(measure: () => void) {
      measured.push(measure)
    }
    observe(element: Element) {
      observed.push(element)
    }
    disconnect() {}
    unobserve() {}
  } as never
  await page.change({ items: items ?? 4 })
  const row = page.screen.getByRole('list', { name: 'Row' })
  const scrolled: ScrollToOptions[] = []
  Object.assign(row, { scrollBy: (options: ScrollToOptions) => scrolled.push(options) })
  const button = (name: string) => page.screen.getByRole('button', { name })
  const scrollTo = async (scrollLeft: number, scrollWidth = 1000) => {
    for (const [name, value] of Object.entries({ scrollLeft, scrollWidth, clientWidth: 400 }))
      Object.defineProperty(row, name, { value, configurable: true })
    fireEvent.scroll(row)
    await nextTurns()
    const dots = [...document.querySelectorAll('[aria-hidden] > [data-here], [aria-hidden] > span:not([data-here])')]
    return {
      ends: ['Previous', 'Next'].map((name) => button(name).getAttribute('aria-disabled')),
      page: dots.findIndex((dot) => dot.hasAttribute('data-here')),
      pages: dots.length,
    }
  }
  return { ...page, row, scrolled, scrollTo, button, measured, observed }
}

test('SHELL-044 A11Y-004 a row of cards shows its position, and its buttons stop at its ends', async () => {
  const { scrollTo, scrolled, button, user } = await openRow()
  expect(await scrollTo(0)).toEqual({ ends: ['true', 'false'], page: 0, pages: 4 })
  await user.click(button('Previous'))
  expect(scrolled).toEqual([])
  await user.click(button('Next'))
  // Four fifths of what is visible.
  expect(scrolled).toEqual([{ left: 320, behavior: 'smooth' }])
  // Within the tolerance of snapping.
  expect((await scrollTo(8)).ends).toEqual(['true', 'false'])
  expect(await scrollTo(320)).toEqual({ ends: ['false', 'false'], page: 1, pages: 4 })
  await user.click(button('Previous'))
  expect(scrolled.at(-1)).toEqual({ left: -320, behavior: 'smooth' })
  expect(await scrollTo(591)).toMatchObject({ ends: ['false', 'false'] })
  expect(await scrollTo(592)).toEqual({ ends: ['false', 'true'], page: 3, pages: 4 })
  await user.click(button('Next'))
  expect(scrolled).toHaveLength(2)
})

test('a row of cards that are all visible has no dots, and its buttons do nothing', async () => {
  const { scrollTo, scrolled, button, user } = await openRow()
  // A button scrolls four fifths of what is visible.
  expect((await scrollTo(0, 322)).pages).toBe(2)
  expect(await scrollTo(0, 320)).toEqual({ ends: ['true', 'true'], page: -1, pages: 0 })
  await user.click(button('Previous'))
  await user.click(button('Next'))
  expect(scrolled).toEqual([])
})

test('a row of cards does not move smoothly for a visitor who prefers reduced motion', async () => {
  const { scrollTo, scrolled, button, user } = await openRow()
  await scrollTo(320)
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-motion: reduce)' }))
  await user.click(button('Next'))
  vi.unstubAllGlobals()
  expect(scrolled).toEqual([{ left: 320, behavior: 'auto' }])
})

test('a row of cards is measured again when cards are added', async () => {
  const { change, row, observed } = await openRow(4)
  expect(observed).toEqual([row, row.lastElementChild])
  await change({ items: 6 })
  expect(observed.slice(2)).toEqual([row, row.lastElementChild])
  expect(row.children).toHaveLength(6)
})

test('HIST-006 the buttons of a list’s pages lead to existing pages only', async () => {
  const { screen, user, reports, change } = await open('pagination', { page: 1 })
  const press = async (...names: string[]) => {
    for (const name of names) await user.click(screen.getByRole('button', { name }))
  }
  await press('Previous', 'Next', '3')
  await change({ page: 3 })
  await press('Next', 'Previous')
  expect(reports).toEqual(['page 2', 'page 3', 'page 2'])
})

test('suggestions close when one is chosen or the field is left, and none is active afterwards', async () => {
  const { screen, user, reports } = await open('combobox')
  const field = screen.getByRole('combobox', { name: 'Place' })
  const list = () => screen.queryByRole('listbox', { name: 'Places' })
  await user.click(field)
  await vi.waitFor(() => expect(list()).toBeVisible(), 20_000)
  expect(screen.getByRole('status')).toHaveTextContent('2 places')
  await user.keyboard('{ArrowDown}{Enter}')
  await vi.waitFor(() => expect(reports).toEqual(['Chicago']), 20_000)
  expect([list(), field.getAttribute('aria-expanded'), screen.getByRole('status').textContent]).toEqual([
    null,
    'false',
    '',
  ])
  // The first one again: the choice before is over.
  await user.keyboard('{ArrowDown}')
  await vi.waitFor(() => expect(list()).toBeVisible(), 20_000)
  expect(
    screen.getAllByRole('option').map((option) => option.ariaSelected ?? option.getAttribute('aria-selected')),
  ).toEqual(['true', 'false'])
  await user.click(screen.getByRole('button', { name: 'elsewhere' }))
  await vi.waitFor(() => expect(list()).toBeNull(), 20_000)
  expect(field).not.toHaveAttribute('aria-activedescendant')
})

/** Presses a key in a field; returns whether the field has handled it, so that nothing else does. */
async function pressIn(field: HTMLElement, key: string): Promise<boolean> {
  const isHandled = !fireEvent.keyDown(field, { key })
  await nextTurns()
  return isHandled
}

test('arrow keys lead through the suggestions and the typed text in both directions', async () => {
  const { screen, user, change } = await open('combobox')
  const field = screen.getByRole('combobox', { name: 'Place' })
  const activeAfter = async (key: string) => {
    await pressIn(field, key)
    return document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null
  }
  const scrolledTo = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  await user.click(field)
  const up = [await activeAfter('ArrowUp'), await activeAfter('ArrowUp'), await activeAfter('ArrowUp')]
  expect(up).toEqual(['Chico', 'Chicago', null])
  const down = [await activeAfter('ArrowDown'), await activeAfter('ArrowDown'), await activeAfter('ArrowDown')]
  expect(down).toEqual(['Chicago', 'Chico', null])
  expect(scrolledTo.mock.contexts.map((option) => (option as HTMLElement).textContent)).toEqual([
    'Chico',
    'Chicago',
    'Chicago',
    'Chico',
  ])
  // The list for another text is shorter than the position in the one before.
  await activeAfter('ArrowUp')
  await change({ options: ['Boston'] })
  expect(field).not.toHaveAttribute('aria-activedescendant')
  expect(await activeAfter('ArrowDown')).toBe('Boston')
  await change({ options: [] })
  expect(await pressIn(field, 'ArrowDown')).toBe(false)
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('the field handles Enter and Escape only while they mean its suggestions', async () => {
  const { screen, user, reports } = await open('combobox')
  const field = screen.getByRole('combobox', { name: 'Place' })
  const isOpen = () => screen.queryByRole('listbox', { name: 'Places' }) !== null
  await user.click(field)
  // Without an active suggestion, Enter sends the form.
  expect([await pressIn(field, 'Enter'), isOpen()]).toEqual([false, true])
  await pressIn(field, 'ArrowDown')
  expect([await pressIn(field, 'Escape'), isOpen()]).toEqual([true, false])
  // Now Escape closes a dialog around the field, and Enter sends the form.
  expect([await pressIn(field, 'Escape'), await pressIn(field, 'Enter')]).toEqual([false, false])
  expect(reports).toEqual([])
  // Typing opens the suggestions again, and none of them is active.
  await user.keyboard('c')
  await vi.waitFor(() => expect(isOpen()).toBe(true), 20_000)
  expect(field).not.toHaveAttribute('aria-activedescendant')
  expect(await pressIn(field, 'Enter')).toBe(false)
  // An arrow key opens them, too.
  await pressIn(field, 'Escape')
  expect([await pressIn(field, 'ArrowDown'), isOpen()]).toEqual([true, true])
})

test('a press on a suggestion leaves the focus in the field and chooses it', async () => {
  const { screen, user, reports } = await open('combobox')
  const field = screen.getByRole('combobox', { name: 'Place' })
  await user.click(field)
  await vi.waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2), 20_000)
  const [, second] = screen.getAllByRole('option')
  expect(fireEvent.pointerDown(second as HTMLElement)).toBe(false)
  fireEvent.click(second as HTMLElement)
  await nextTurns()
  expect([reports, field]).toEqual([['Chico'], document.activeElement])
  expect(field).toHaveValue('Chico')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a button whose work is in progress says so and ignores presses', async () => {
  const { screen, reports, change } = await open('button', { busy: 'Saving' })
  const button = screen.getByRole('button')
  const press = () => fireEvent.click(button)
  press()
  expect([button.getAttribute('aria-disabled'), screen.getByRole('status').textContent, reports]).toEqual([
    'true',
    'Saving',
    [],
  ])
  await change({ busy: false })
  press()
  expect([button.getAttribute('aria-disabled'), reports[0]]).toEqual([null, 'pressed'])
})

test('a part that cannot be rendered is left out, and the rest of the page stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { screen } = await open('boundary')
  expect(await screen.findByText('the rest')).toBeVisible()
})

test('an error in the list of a form leads to its field, and the address stays as it is', async () => {
  const { screen, user } = await open('banner')
  await user.click(screen.getByRole('link', { name: 'Enter a name' }))
  expect(document.getElementById('name')).toHaveFocus()
  expect(window.location.hash).toBe('')
  expect(screen.queryByRole('link', { name: 'No control' })).toBeNull()
})

test('a press on the button of a form leaves the focus in the field, and a press on another button does not', async () => {
  const { screen } = await open('form')
  const isKept = (name: string) => !fireEvent.mouseDown(screen.getByRole('button', { name }))
  expect([isKept('Send'), isKept('Show')]).toEqual([true, false])
})

test('a form that a script sends is not checked by the browser, also if the browser could send it', async () => {
  for (const native of [true, false]) {
    const { screen } = await open('form', { native })
    const form = screen.getByLabelText<HTMLInputElement>('Name').form as HTMLFormElement
    expect([native, form.noValidate, form.querySelector('fieldset')?.disabled]).toEqual([native, true, false])
  }
})

test('a component follows a media query while it is shown', async () => {
  const page = await open('media')
  await page.end()
  const listeners = new Set<() => void>()
  let matches = false
  vi.stubGlobal('matchMedia', () => ({
    matches,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  }))
  window.matchMedia = globalThis.matchMedia
  const { showComponent } = await import('../support/component-page.tsx')
  const { end } = showComponent('media')
  await nextTurns()
  expect(page.screen.getByRole('status')).toHaveTextContent('narrow')
  matches = true
  for (const listener of listeners) listener()
  await nextTurns()
  expect(page.screen.getByRole('status')).toHaveTextContent('wide')
  end()
  await nextTurns()
  expect(listeners.size).toBe(0)
})

test('SHELL-006 the bars hide once the page was scrolled down a little, and return when it is scrolled up', async () => {
  const { end } = await open('bars')
  const scrollTo = (scrollY: number) => {
    Object.defineProperty(window, 'scrollY', { value: scrollY, configurable: true })
    window.dispatchEvent(new Event('scroll'))
    return document.documentElement.dataset.bars
  }
  expect([scrollTo(40), scrollTo(64), scrollTo(72)]).toEqual([undefined, undefined, 'hidden'])
  // Touch input is unsteady.
  expect([scrollTo(65), scrollTo(64)]).toEqual(['hidden', undefined])
  expect([scrollTo(300), scrollTo(-50), scrollTo(300)]).toEqual(['hidden', undefined, 'hidden'])
  await end()
  expect(document.documentElement.dataset.bars).toBeUndefined()
  expect(scrollTo(900)).toBeUndefined()
})

test('another page of a list has the focus at its start, and another list does not', async () => {
  const { screen, change } = await open('list', { pageNo: 1, list: 'all' })
  const start = () => screen.getByRole('heading')
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  expect(start()).not.toHaveFocus()
  await change({ pageNo: 2, list: 'all' })
  expect(start()).toHaveFocus()
  expect(focus.mock.lastCall).toEqual([{ preventScroll: false }])
  start().blur()
  await change({ pageNo: 1, list: 'brunch' })
  expect(start()).not.toHaveFocus()
  Object.defineProperty(window, 'scrollY', { value: 200, configurable: true })
  await change({ pageNo: 2, list: 'brunch' })
  expect(focus.mock.lastCall).toEqual([{ preventScroll: true }])
})
