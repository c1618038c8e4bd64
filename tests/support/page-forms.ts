import { within } from '@testing-library/dom'
import { expect, vi } from 'vitest'
import { memberPassword } from './members.ts'
import type { OpenPage } from './page-dom.ts'

type User = OpenPage['user']

/** Replaces the text of a field, as pasting does. Again if the page has moved the focus meanwhile: it has just begun. */
export const fill = (user: User, field: HTMLElement, text: string): Promise<void> =>
  vi.waitFor(async () => {
    await user.clear(field)
    await user.paste(text)
    expect(field).toHaveValue(text)
  }, 20_000)

/** Fills in and submits the sign-in form of a direct program. */
export async function signInByForm({ user, screen }: OpenPage, userName: string, password = memberPassword) {
  await screen.findByLabelText('Keep me signed in on this device')
  await fill(user, screen.getByLabelText(/^Email address/), userName)
  await fill(user, screen.getByLabelText(/^Password/), password)
  await user.click(mainOf(screen).getByRole('button', { name: 'Sign in' }))
}

/** Types into the fields of the join form of a direct program. */
export async function fillJoinForm({ user, screen }: Pick<OpenPage, 'user' | 'screen'>, email: string): Promise<void> {
  const values: [RegExp, string][] = [
    [/^First name/, 'Ada'],
    [/^Last name/, 'Lovelace'],
    [/^Email address/, email],
    [/^ZIP code/, '10001'],
    [/^Password/, memberPassword],
    [/^Confirm password/, memberPassword],
  ]
  for (const [label, text] of values) await fill(user, screen.getByLabelText(label, { selector: 'input' }), text)
}

/** Fills in and submits the join form of a direct program. */
export async function joinByForm(page: OpenPage, email: string): Promise<void> {
  const { user, screen } = page
  await fillJoinForm(page, email)
  await user.click(screen.getByLabelText(/Email me offers/))
  await user.click(screen.getByLabelText(/I accept the terms/))
  await user.click(screen.getByRole('button', { name: 'Continue to your card' }))
}

/** Queries of the bar above the page. The heads of some sections are banners too, for these queries only. */
export const barOf = () => within(document.querySelector('body > header') as HTMLElement)

/** Returns the link of this name in the bar, outside of its menu, which is closed. */
export function barLink(name: string): HTMLElement {
  const found = barOf()
    .queryAllByRole('link', { name })
    .filter((link) => link.closest('nav') === null)
  expect(found).toHaveLength(1)
  return found[0] as HTMLElement
}

/** Queries of the content of the page, without its header and footer. */
export const mainOf = (screen: OpenPage['screen']) => within(screen.getByRole('main'))

/** Returns the first link of this name in the content, once it is there. */
export const findMainLink = (screen: OpenPage['screen'], name: string | RegExp): Promise<HTMLElement> =>
  vi.waitFor(() => mainOf(screen).getAllByRole('link', { name })[0] as HTMLElement, 20_000)

/** Waits for a notification of a failure, and returns it. */
export const failureToast = (): Promise<HTMLElement> =>
  vi.waitFor(() => {
    const toast = document.querySelector<HTMLElement>('[aria-live=assertive] > *')
    if (!toast) throw new Error('no failure was announced')
    return toast
  }, 20_000)

/** The number of failures that are shown. */
export const failureToasts = (): number => document.querySelectorAll('[aria-live=assertive] > *').length
