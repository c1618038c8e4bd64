import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { onTestFinished } from 'vitest'
import { nextTurns, openWindow } from './page-window.ts'

type Support = typeof import('./program-component-page.tsx')

/** Opens a window with one component of a program, which ends with the test. */
export async function openComponent(...[name, props, surroundings]: Parameters<Support['showInProgram']>) {
  const left: string[] = []
  const { window, settle } = openWindow({
    url: 'http://skyharbor.localhost/search?location=10001',
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: (url) => void left.push(url),
  })
  const { showInProgram, pages } = await import('./program-component-page.tsx')
  const { end, show, goTo, ...shown } = showInProgram(name, props, surroundings)
  await settle()
  let isOpen = true
  const close = async () => {
    if (isOpen) end()
    isOpen = false
    await settle()
  }
  onTestFinished(async () => {
    await close()
    await window.happyDOM.close()
  })
  return {
    ...shown,
    pages,
    left,
    close,
    screen: within(document.body),
    user: userEvent.setup({ document }),
    async change(next: object) {
      show(next)
      await settle()
    },
    async goTo(...given: Parameters<typeof goTo>) {
      goTo(...given)
      await settle()
    },
  }
}

/** Shows a component whose surroundings in the window are set first; it ends with the test. */
export async function openPrepared(
  prepare: () => void,
  ...[name, props, surroundings]: Parameters<Support['showInProgram']>
) {
  const page = await openComponent('moments')
  await page.close()
  localStorage.clear()
  prepare()
  const { showInProgram } = await import('./program-component-page.tsx')
  const shown = showInProgram(name, props, surroundings)
  // `settle` of a window waits for an idle browser, which these components do not need.
  await nextTurns()
  const end = async () => {
    shown.end()
    await nextTurns()
  }
  onTestFinished(end)
  return { ...shown, end, screen: page.screen, user: page.user, left: page.left }
}
