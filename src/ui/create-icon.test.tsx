import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import createIcon from './create-icon.ts'

test('an icon has 24 pixels unless its place sets a size, and the attributes of its place', () => {
  const Icon = createIcon({ node: [['path', { d: 'M0 0h24' }]] })
  const attributesOf = (icon: React.ReactNode) =>
    Object.fromEntries(
      [...renderToString(icon).matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
  expect(attributesOf(<Icon />)).toMatchObject({ width: '24', height: '24', 'aria-hidden': 'true', d: 'M0 0h24' })
  expect(attributesOf(<Icon size={18} className="mark" />)).toMatchObject({ width: '18', height: '18', class: 'mark' })
})
