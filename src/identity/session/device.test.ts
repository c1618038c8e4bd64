import { expect, test } from 'vitest'
import { deviceName } from './device.ts'

test('a browser is named by its common name and its system', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36'
  expect(deviceName(chrome)).toBe('Chrome on Windows')
  expect(deviceName(`${chrome} Edg/140`)).toBe('Edge on Windows')
  expect(
    deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'),
  ).toBe('Safari on iPhone')
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox on Linux')
})

test('an unknown user agent has no name', () => {
  for (const agent of [undefined, '', 'curl/8', '<script>alert(1)</script>']) expect(deviceName(agent)).toBe('')
})
