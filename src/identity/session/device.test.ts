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

test('a browser that also names others, and the systems of phones and tablets, have their own names', () => {
  const [webkit, safari] = ['AppleWebKit/537.36 (KHTML, like Gecko)', 'Mobile/15E148 Safari/604.1']
  const android = `Mozilla/5.0 (Linux; Android 16; K) ${webkit}`
  const names = {
    [`${android} Chrome/140.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
    [`${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`]: 'Samsung Internet on Android',
    [`${android} Chrome/140.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0`]: 'Opera on Android',
    [`Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) CriOS/140.0.0.0 ${safari}`]: 'Chrome on iPad',
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) FxiOS/140.0 ${safari}`]: 'Firefox on iPhone',
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`]: 'Safari on Mac',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`]: 'Chrome on ChromeOS',
  }
  for (const [agent, name] of Object.entries(names)) expect([agent, deviceName(agent)]).toEqual([agent, name])
})

test('an unknown user agent has no name', () => {
  for (const agent of [undefined, '', 'curl/8', '<script>alert(1)</script>']) expect(deviceName(agent)).toBe('')
})
