import '@testing-library/jest-dom/vitest'
import { configure, fireEvent, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { compactDecrypt, importJWK } from 'jose'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { framePage } from '../../vault/frame-page.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { openWindow, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

const keys = deriveVaultKeys('a secret of this test '.repeat(2))
const parentOrigin = 'http://skyharbor.localhost:3000'
const intent = {
  id: 'intent-1',
  tenant: 'skyharbor',
  holder: 'ada',
  parentOrigin,
  brands: ['VISA', 'MAST'],
  expiresAt: new Date('2099-01-01T00:00:00Z'),
}

type Sent = Record<string, unknown> & { target: string }

/** Opens the card frame, with its script, within a page that notes its messages. */
async function openFrame() {
  const { window, settle } = openWindow({
    url: 'http://vault.localhost/frame',
    width: 375,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: () => {},
  })
  const sent: Sent[] = []
  const parent = { postMessage: (text: string, target: string) => void sent.push({ ...JSON.parse(text), target }) }
  Object.defineProperty(window, 'parent', { value: parent })
  const page = framePage(intent as never, keys, '', '')
  document.body.innerHTML = new DOMParser().parseFromString(page, 'text/html').body.innerHTML
  // Its script begins with the page.
  vi.resetModules()
  await import('../../vault/frame/frame.ts')
  onTestFinished(async () => {
    await settle()
    await window.happyDOM.close()
  })
  const screen = within(document.body)
  return {
    sent,
    user: userEvent.setup({ document }),
    number: screen.getByLabelText<HTMLInputElement>(/^Card number/),
    expires: screen.getByLabelText<HTMLInputElement>(/^Expires/),
    screen,
    /** Waits until the last message is of this kind. */
    expectLast: (message: object) => vi.waitFor(() => expect(sent.at(-1)).toMatchObject(message), 20_000),
    /** Sends the message of a page that submits its form. */
    check: (over: object = {}) =>
      window.dispatchEvent(
        Object.assign(new window.Event('message'), {
          source: parent,
          origin: parentOrigin,
          data: 'dineback-check',
          ...over,
        }),
      ),
  }
}

const cards = ({ sent }: { sent: Sent[] }) => sent.filter(({ type }) => type === 'dineback-card')

test('a complete card is sealed for its intent, and sent to the page of that intent only', async () => {
  const frame = await openFrame()
  const { user, number, expires, screen, sent, expectLast } = frame
  await expectLast({ type: 'dineback-frame', state: 'ready' })
  await user.type(number, '4111111111111111')
  await expectLast({ state: 'invalid', wrong: 'expiry' })
  await user.type(expires, '1240')
  await expectLast({ type: 'dineback-card', lastFour: '1111', cardType: 'VISA' })
  expect([number.value, expires.value]).toEqual(['4111 1111 1111 1111', '12/40'])
  expect(screen.getByRole('status')).toHaveTextContent('Card complete. Visa')
  const key = await importJWK(keys.privateJwk, 'ECDH-ES')
  const { plaintext } = await compactDecrypt(String(sent.at(-1)?.encryptedCardNumber), key)
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({
    number: '4111111111111111',
    expires: '2040-12',
    intent: 'intent-1',
    tenant: 'skyharbor',
    holder: 'ada',
    exp: intent.expiresAt.getTime() / 1000,
  })
  expect(new Set(sent.map(({ target }) => target))).toEqual(new Set([parentOrigin]))
  expect(JSON.stringify(sent)).not.toContain('4111')
  // A browser would send the fields in an address.
  expect(fireEvent.submit(number.form as HTMLFormElement)).toBe(false)
  await user.type(expires, '{Backspace}')
  await expectLast({ state: 'invalid', wrong: 'expiry' })
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  await user.clear(number)
  await expectLast({ state: 'invalid', wrong: 'missing' })
  await user.clear(expires)
  await expectLast({ state: 'cleared' })
})

test('a field shows its error when it is left filled, and every field when the page submits its form', async () => {
  const { user, number, expires, check } = await openFrame()
  const errors = () => [number, expires].map((field) => document.getElementById(`${field.id}-error`)?.textContent)
  const isWrong = () => [number, expires].map((field) => field.getAttribute('aria-invalid') === 'true')
  await user.click(number)
  await user.click(expires)
  expect(errors()).toEqual(['', ''])
  await user.type(number, '4111')
  expect(isWrong()).toEqual([false, false])
  await user.click(expires)
  expect([errors(), isWrong()]).toEqual([
    ['Check the card number.', ''],
    [true, false],
  ])
  expect(number).toHaveAccessibleDescription('Check the card number.')
  number.blur()
  // Only the page of the intent submits.
  check({ source: window })
  check({ origin: 'http://orchard.localhost:3000' })
  check({ data: 'dineback-other' })
  expect(errors()[1]).toBe('')
  check()
  expect(errors()[1]).toBe('Please enter the month and year on your card.')
  expect(expires).toHaveAccessibleDescription('Please enter the month and year on your card.')
  expect(number).toHaveFocus()
  // An error goes as soon as its field is correct.
  await user.type(number, '111111111111')
  expect(isWrong()).toEqual([false, true])
  check()
  expect(expires).toHaveFocus()
  await user.type(expires, '01/20')
  expect(errors()).toEqual(['', 'This card has expired.'])
  // This program accepts no Amex.
  await user.clear(number)
  await user.paste('378282246310005')
  expect(errors()[0]).toBe('Card must be Visa or Mastercard')
})

test('a number that is corrected in its middle is not formatted under the caret', async () => {
  const { user, number } = await openFrame()
  await user.type(number, '4111111')
  expect(number).toHaveValue('4111 111')
  await user.type(number, '2', { initialSelectionStart: 2, initialSelectionEnd: 2 })
  expect(number).toHaveValue('41211 111')
  expect(number.selectionStart).toBe(3)
})

test('a month that is corrected at its beginning is not formatted under the caret', async () => {
  const { user, expires } = await openFrame()
  await user.type(expires, '124')
  expect(expires).toHaveValue('12/4')
  await user.type(expires, '0', { initialSelectionStart: 0, initialSelectionEnd: 0 })
  expect(expires).toHaveValue('012/4')
  expect(expires.selectionStart).toBe(1)
})

test('the page is told what is wrong first: the number, then the month', async () => {
  const { user, number, expires, sent, expectLast } = await openFrame()
  await user.type(number, '4111')
  await expectLast({ state: 'invalid', wrong: 'number', both: true })
  await user.type(expires, '1240')
  await expectLast({ state: 'invalid', wrong: 'number' })
  expect(sent.at(-1)).not.toHaveProperty('both')
  await user.type(number, '111111111111')
  await expectLast({ type: 'dineback-card' })
})

test('a complete number of a brand that no program takes is not called mistyped', async () => {
  const { user, number, check } = await openFrame()
  const error = () => document.getElementById('number-error')?.textContent
  await user.type(number, '3530111333300000')
  check()
  expect(error()).toBe('Card must be Visa or Mastercard')
  await user.type(number, '{Backspace}1')
  expect(error()).toBe('Check the card number.')
})

test('a card that was changed while it was sealed is not sent to the page', async () => {
  const frame = await openFrame()
  const { user, number, expires, expectLast } = frame
  await user.type(expires, '12/40')
  const paste = (value: string) => fireEvent.input(number, { target: { value } })
  paste('4111111111111111')
  paste('411111111111111')
  paste('5555555555554444')
  await expectLast({ type: 'dineback-card', lastFour: '4444' })
  expect(cards(frame)).toHaveLength(1)
})

test.each(['12/40', '12 / 40', '12/2040', '12 / 2040', '1240', '122040'])(
  'an expiry date that is pasted as %s is taken',
  async (text) => {
    const { user, number, expires, expectLast } = await openFrame()
    await user.type(number, '4111111111111111')
    await user.click(expires)
    await user.paste(text)
    await expectLast({ type: 'dineback-card' })
  },
)

test('LINK-042 both fields of the frame are required, and marked by an asterisk that no screen reader reads', async () => {
  const { number, expires } = await openFrame()
  for (const [field, label] of [
    [number, 'Card number*'],
    [expires, 'Expires (MM/YY)*'],
  ] as const) {
    expect(field).toBeRequired()
    expect(field.labels?.[0]).toHaveTextContent(label)
    expect(field).toHaveAccessibleName(label.slice(0, -1))
  }
})
