import { expect, test } from 'vitest'
import { isExit } from './rules.ts'

test('EMU-002 only a message of the console itself that says so ends an impersonation', () => {
  const console = 'https://console.example.com'
  const exits = (data: unknown, origin = console) => isExit({ origin, data }, console)
  expect(exits({ exit: true })).toBe(true)
  for (const origin of ['https://evil.example', 'https://console.example.com.evil.example', 'null', ''])
    expect([origin, exits({ exit: true }, origin)]).toEqual([origin, false])
  for (const data of [null, undefined, true, 'exit', {}, { exit: 1 }, { exit: 'true' }, { exit: false }, []])
    expect([data, exits(data)]).toEqual([data, false])
  // A function can have properties, but cannot be sent in a message.
  expect(exits(Object.assign(() => {}, { exit: true }))).toBe(false)
})
