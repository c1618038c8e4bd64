import type { Locator, Page } from '@playwright/test'
import { inspectFocus } from '../support/focus.ts'
import { at, expect, expectNoA11yViolations, furtherUnless, test } from '../support/journey.ts'

const map = (page: Page) => page.getByRole('region', { name: 'Map of the results' })

async function openMap(page: Page, width = 1280): Promise<void> {
  // Nothing moves by itself, so that boxes are where they stay.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  if (width < 861) await page.getByRole('button', { name: 'Show map' }).click()
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
}

/** Returns a pin in view, not near the edge of the map. */
async function pinInView(page: Page): Promise<Locator> {
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
  const id = await map(page).evaluate((box) => {
    const view = box.getBoundingClientRect()
    const isInside = (pin: Element) => {
      const { left, right, top, bottom } = pin.getBoundingClientRect()
      return left > view.left + 80 && right < view.right - 40 && top > view.top + 80 && bottom < view.bottom - 40
    }
    const pins = [...box.querySelectorAll<HTMLElement>('[data-pin]')]
    return pins.find(isInside)?.dataset.pin
  })
  return map(page).locator(`[data-pin="${id}"]`)
}

for (const key of ['Tab', 'Shift+Tab']) {
  test(`A11Y-018 ${key} passes the pins of the map in one step`, furtherUnless(key === 'Tab'), async ({ page }) => {
    await openMap(page)
    if (key === 'Tab') await map(page).focus()
    else await page.getByRole('group', { name: 'Move the map' }).getByRole('button').first().focus()
    const passed: string[] = []
    const inMap = () => map(page).evaluate((box) => box.contains(document.activeElement))
    do {
      await page.keyboard.press(key)
      if (await inMap()) passed.push((await inspectFocus(page)).html)
    } while ((await inMap()) && passed.length < 20)
    expect(await inMap()).toBe(false)
    expect(passed.filter((element) => element.includes('leaflet-marker'))).toHaveLength(1)
  })
}

for (const width of [1280, 375]) {
  test(
    `A11Y-018 A11Y-019 A11Y-012 at ${width} px the arrow keys reach every pin in view, and nothing covers the focused one`,
    furtherUnless(width === 1280),
    async ({ page }) => {
      await openMap(page, width)
      await page.getByRole('button', { name: 'Move up' }).click()
      await expect(page.getByRole('button', { name: 'Search this area' })).toBeVisible()
      const markers = map(page).locator('.leaflet-marker-icon[tabindex]')
      await map(page).locator('.leaflet-marker-icon[tabindex="0"]').focus()
      await page.keyboard.press('Home')
      const [reached, wrong] = [new Set<number>(), [] as string[]]
      for (let presses = 0; presses < 100; presses++) {
        const { id, html, coveredBy, size, contrast } = await inspectFocus(page)
        if (reached.has(id)) break
        reached.add(id)
        if (coveredBy !== null) wrong.push(`${html} is covered by ${coveredBy}`)
        if ((size ?? 24) < 24) wrong.push(`${html} is only ${size} px in size`)
        if ((contrast ?? 3) < 3) wrong.push(`the ring of ${html} has ${contrast}:1`)
        await page.keyboard.press('ArrowRight')
      }
      expect(wrong).toEqual([])
      const inView = await markers.evaluateAll((all) => {
        const view = document.querySelector('.leaflet-container')?.getBoundingClientRect() as DOMRect
        const middle = (element: Element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect()
          return { x: (left + right) / 2, y: (top + bottom) / 2 }
        }
        const isInView = ({ x, y }: { x: number; y: number }) =>
          x > view.left + 30 && x < view.right - 30 && y > view.top + 30 && y < view.bottom - 30
        return all.filter((element) => isInView(middle(element))).length
      })
      expect(reached.size).toBeGreaterThanOrEqual(inView)
      expect(inView).toBeGreaterThan(2)
      expect(await overlaps(page)).toEqual([])
    },
  )
}

/** Returns pairs of pins and clusters that overlap, at this zoom level and at two that show more. */
async function overlaps(page: Page): Promise<string[]> {
  const found: string[] = []
  for (let zoom = 0; zoom < 3; zoom++) {
    found.push(
      ...(await map(page)
        .locator('.leaflet-marker-icon[tabindex]')
        .evaluateAll((all) => {
          const boxes = all.map((element) => element.getBoundingClientRect())
          return all.flatMap((element, at) =>
            boxes.flatMap((b, other) => {
              const a = boxes[at] as DOMRect
              const isOver = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
              return other > at && isOver ? [`${element.outerHTML} and ${all[other]?.outerHTML}`] : []
            }),
          )
        })),
    )
    const view = () => page.evaluate(() => JSON.parse(localStorage.getItem('RN_MAP_VIEW') ?? '{}').zoom)
    const before = await view()
    await page.getByRole('button', { name: 'Zoom out', exact: true }).click()
    await expect.poll(view).toBe(before - 1)
  }
  return found
}

test('A11Y-011 Enter opens the card of a pin and moves the focus into it; Escape closes it and gives the focus back', async ({
  page,
}) => {
  await openMap(page)
  const pin = await pinInView(page)
  const name = (await pin.getAttribute('title')) ?? '-'
  const card = map(page).getByRole('dialog', { name, exact: true })
  const link = card.getByRole('link', { name: 'See restaurant' })
  await pin.focus()
  for (const key of ['Enter', 'Space']) {
    await page.keyboard.press(key)
    await expect(link).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(card).toHaveCount(0)
    await expect(pin).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(link).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(card).toHaveCount(0)
  await expect(pin).not.toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(pin).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('A11Y-011 Enter on several restaurants zooms in and focuses one of them', async ({ page }) => {
  await openMap(page)
  const cluster = map(page)
    .getByRole('button', { name: /restaurants: zoom in/ })
    .first()
  await cluster.focus()
  await page.keyboard.press('Enter')
  await expect(cluster).not.toBeFocused()
  await expect(map(page).locator(':focus')).toHaveAttribute('role', 'button')
})

test('A11Y-015 A11Y-011 buttons move the map, and searching its area retains the focus', async ({ page }) => {
  await openMap(page)
  const view = () => page.evaluate(() => JSON.parse(localStorage.getItem('RN_MAP_VIEW') ?? '{}'))
  const moves = page.getByRole('group', { name: 'Move the map' })
  for (const [name, axis, sign] of [
    ['Move up', 'latitude', 1],
    ['Move down', 'latitude', -1],
    ['Move left', 'longitude', -1],
    ['Move right', 'longitude', 1],
  ] as const) {
    const before = (await view())[axis] ?? 0
    const button = moves.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => Math.sign((await view())[axis] - before)).toBe(sign)
    await expect(button).toBeFocused()
    const box = await button.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('button', { name: 'Search this area' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/Current\+Map\+View/)
  await expect(page.getByRole('button', { name: 'Search this area' })).toHaveCount(0)
  await expect(map(page)).toBeFocused()
})

test('A11Y-018 axe finds nothing wrong with the map', async ({ page }) => {
  await openMap(page)
  await expectNoA11yViolations(page)
})

test('SRCH-031 on a phone the button for the map covers no restaurant, and Back leads from the map to the list', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(at('gallonaire', '/'))
  await page.goto(at('gallonaire', '/search?location=10001'))
  const toggle = page.getByRole('button', { name: 'Show map' })
  const reserve = page.getByRole('link', { name: /^Reserve/ }).first()
  // Wherever the page is scrolled, a click in the middle of the link reaches it.
  await reserve.evaluate((link) => window.scrollTo(0, link.getBoundingClientRect().bottom - innerHeight + 40))
  const isCovered = () =>
    reserve.evaluate((link) => {
      const { left, right, top, bottom } = link.getBoundingClientRect()
      return !link.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
    })
  expect(await isCovered()).toBe(false)
  await toggle.click()
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change search' })).toBeFocused()
  // A reload shows the map again.
  await page.reload()
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
  await page.goBack()
  await expect(toggle).toBeVisible()
  await expect(reserve).toBeVisible()
  await toggle.click()
  await page.getByRole('button', { name: 'Change search' }).click()
  await expect(reserve).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await page.goBack()
  await expect(page).toHaveURL(at('gallonaire', '/'))
})

test('SRCH-009 on a phone Back from a restaurant leads to the map it was opened from', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.getByRole('button', { name: 'Show map' }).click()
  const pin = await pinInView(page)
  await pin.focus()
  await page.keyboard.press('Enter')
  // The card shows the price range.
  await expect(map(page).getByRole('dialog')).toContainText('$')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/merchants/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Change search' })).toBeVisible()
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
})

test('the map says when it has fewer pins than the search has restaurants, and its area has a name', async ({
  page,
}) => {
  await openMap(page)
  const shown = page.getByText(/^Nearest 300 of \d+$/)
  await expect(shown).toBeVisible()
  // Below the map, where it covers no pin.
  const [text, box] = [await shown.boundingBox(), await map(page).boundingBox()]
  expect(text?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
  await page.getByRole('button', { name: 'Move up' }).click()
  await page.getByRole('button', { name: 'Search this area' }).click()
  await expect(page).toHaveURL(/Current\+Map\+View/)
  await expect(page.getByRole('combobox', { name: 'City, state or ZIP code' })).toHaveValue('Area on the map')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/Current\+Map\+View/)
})

/** Records the page's timers of less than a second that have neither ended nor been canceled. */
function recordTimers(): void {
  const timers = new Set<number>()
  Object.assign(window, { timers })
  const [start, cancel] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
  const record = (run: () => void, ms = 0) => {
    const timer = start(() => {
      timers.delete(timer)
      run()
    }, ms)
    if (ms < 1000) timers.add(timer)
    return timer
  }
  const end = (timer?: number) => {
    timers.delete(timer ?? 0)
    cancel(timer)
  }
  Object.assign(window, { setTimeout: record, clearTimeout: end })
}

test('resizing the window moves the map at once, and offers no search of its area', async ({ page }) => {
  await page.addInitScript(recordTimers)
  await openMap(page)
  const twoFrames = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.setViewportSize({ width: 1100, height: 800 })
  await twoFrames()
  // A map that is moved later would use a page that was left meanwhile.
  await expect.poll(() => page.evaluate(() => (window as unknown as { timers: Set<number> }).timers.size)).toBe(0)
  await twoFrames()
  expect(await page.getByRole('button', { name: 'Search this area' }).count()).toBe(0)
})
