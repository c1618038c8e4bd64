import { expect, test } from 'vitest'
import { unsavedScript } from './unsaved-script.ts'

/** Runs the script on a form. Returns functions for the events of the form and the window, and whether leaving is confirmed. */
function openForm({ saved }: { saved: boolean }) {
  const form = Object.assign(new EventTarget(), { dataset: { saved: String(saved) } })
  const window = new EventTarget()
  const addEventListener = window.addEventListener.bind(window)
  new Function('document', 'addEventListener', unsavedScript)({ querySelector: () => form }, addEventListener)
  return {
    type: () => form.dispatchEvent(new Event('input')),
    submit: () => form.dispatchEvent(new Event('submit')),
    comeBack: () => window.dispatchEvent(new Event('pageshow')),
    requiresConfirmation: () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  }
}

test('leaving requires confirmation once text is typed, not while it is saved, and again after coming back to the page', () => {
  const form = openForm({ saved: true })
  expect(form.requiresConfirmation()).toBe(false)
  form.type()
  expect(form.requiresConfirmation()).toBe(true)
  form.submit()
  expect(form.requiresConfirmation()).toBe(false)
  // The browser shows the page from its memory, as it was left.
  form.comeBack()
  expect(form.requiresConfirmation()).toBe(true)
})

test('leaving a form with text that was not saved requires confirmation at once', () => {
  expect(openForm({ saved: false }).requiresConfirmation()).toBe(true)
})
