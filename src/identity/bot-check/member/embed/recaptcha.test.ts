import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { solveTimeoutMs } from '../../rules.ts'
import { createRecaptchaSolver } from './recaptcha.ts'

interface Script {
  src: string
  onload?: () => void
  onerror?: () => void
  remove: () => void
}

const address = 'https://recaptcha.example/api.js'
const settings = { siteKey: 'site-key', script: address }
let scripts: Script[]
let removed: object[]
let arrives: (script: Script) => void

beforeEach(() => {
  scripts = []
  removed = []
  arrives = (script) => script.onload?.()
  vi.useFakeTimers()
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {
    createElement: () => {
      const script = { remove: () => void removed.push(script) }
      return script
    },
    body: { appendChild: (element: unknown) => element },
    head: {
      append: (script: Script) => {
        scripts.push(script)
        queueMicrotask(() => arrives(script))
      },
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A fake of the script's widget, controlled by the test. */
function widget() {
  const resets: number[] = []
  let options: Record<string, (token?: string) => void> = {}
  return {
    resets,
    options: () => options,
    render: (_element: unknown, given: typeof options) => {
      options = given
      return 7
    },
    execute: () => options.callback?.('a solution'),
    reset: (id: number) => void resets.push(id),
  }
}

test('API-041 API-042 the script is polled every half second, rendered with the configured site key, and reset after a failure', async () => {
  const there = widget()
  const verifier = createRecaptchaSolver(settings)
  await vi.advanceTimersByTimeAsync(1_400)
  Object.assign(window, { grecaptcha: there })
  let ready = false
  void verifier.then(() => {
    ready = true
  })
  await vi.advanceTimersByTimeAsync(50)
  expect(ready).toBe(false)
  await vi.advanceTimersByTimeAsync(60)
  expect(ready).toBe(true)
  expect(there.options()).toMatchObject({ sitekey: 'site-key', size: 'invisible' })
  expect(await (await verifier).getToken()).toBe('a solution')
  ;(await verifier).reset()
  expect(there.resets).toEqual([7])
  expect(scripts.map(({ src }) => src)).toEqual([address])
})

test('a challenge that is closed without an answer ends after two minutes', async () => {
  Object.assign(window, { grecaptcha: { ...widget(), execute() {} } })
  const verifier = await createRecaptchaSolver(settings)
  let failure = ''
  const token = verifier.getToken().catch(({ message }: Error) => {
    failure = message
  })
  await vi.advanceTimersByTimeAsync(solveTimeoutMs - 1)
  expect(failure).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  await token
  expect(failure).toBe('bot.required')
})

test('a challenge that cannot be shown, or whose solution has expired, is reported at once, and the next one can be solved', async () => {
  const there = widget()
  const { execute } = there
  Object.assign(window, { grecaptcha: there })
  const verifier = await createRecaptchaSolver(settings)
  for (const [event, message] of [
    ['error-callback', 'bot.not_ready'],
    ['expired-callback', 'bot.required'],
  ] as const) {
    there.execute = () => there.options()[event]?.()
    await expect(verifier.getToken()).rejects.toThrow(message)
  }
  there.execute = execute
  expect(await verifier.getToken()).toBe('a solution')
})

test('ERR-013 a script that loads and never becomes ready is reported as not ready', async () => {
  const verifier = createRecaptchaSolver(settings)
  const rejection = expect(verifier).rejects.toThrow('bot.not_ready')
  await vi.advanceTimersByTimeAsync(11_000)
  await rejection
})

test('ERR-014 CONST-025 loading stops after the tenth network error and not before', async () => {
  arrives = (script) => script.onerror?.()
  const verifier = createRecaptchaSolver(settings)
  const rejection = expect(verifier).rejects.toThrow('bot.gave_up')
  await vi.advanceTimersByTimeAsync(8 * 500 + 100)
  expect(scripts).toHaveLength(9)
  await vi.advanceTimersByTimeAsync(1_000)
  await rejection
  expect(scripts).toHaveLength(10)
  expect(removed).toEqual(scripts)
})
