import { expect, type Locator, type Page } from '@playwright/test'
import { at, expectAccessibleColors, expectNoA11yViolations } from './journey.ts'

/** Fails when axe finds a violation of what is shown, in the light colors or in the dark ones. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessibleAtRest(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await awaitTransitions(page)
  await expectAccessibleColors(page)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Fails when axe finds a violation of what is shown, once it has settled. */
async function expectAccessibleAtRest(page: Page): Promise<void> {
  // Away from what was clicked, whose tooltip would be shown.
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await awaitTransitions(page)
  await expectNoA11yViolations(page)
}

/** Waits until nothing fades or changes its color: half-way, the colors are others. */
async function awaitTransitions(page: Page): Promise<void> {
  const running = () => document.getAnimations().filter((each) => each instanceof CSSTransition).length
  await expect.poll(() => page.evaluate(running)).toBe(0)
}

/** Opens a page of the console, and checks it in both colors. */
export async function openConsolePage(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(at('console', path))
  await expectConsolePage(page, heading)
}

/** Waits for a page of the console, and checks it in both colors. */
export async function expectConsolePage(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await expectAccessibleInBoth(page)
}

/** Waits for the dialog that a button or an item of a menu has opened, and checks it in the light colors. */
export async function expectConsoleDialog(page: Page, name: string | RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(dialog).toHaveCSS('opacity', '1')
  await expect(dialog.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await expectAccessibleAtRest(page)
  return dialog
}

/** Fails with what is cut off when the page is wider than a phone of 375 pixels. Leaves the window as narrow. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 800 })
  const cutOff = () =>
    document.documentElement.scrollWidth <= window.innerWidth
      ? []
      : [...document.querySelectorAll('main *')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
          .map(({ className, textContent }) => `${className} ${textContent}`.slice(0, 120))
  await expect.poll(() => page.evaluate(cutOff)).toEqual([])
}
