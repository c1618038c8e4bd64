import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FormBanner } from './FormBanner.tsx'

test('an error about a form interrupts, other messages do not', () => {
  const roleOf = (type: 'error' | 'success' | 'warning') =>
    /role="(\w+)"/.exec(renderToString(<FormBanner type={type} title="x" />))?.[1]
  expect([roleOf('error'), roleOf('success'), roleOf('warning')]).toEqual(['alert', 'status', 'status'])
})
