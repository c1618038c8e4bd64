import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Settings } from '../../src/platform/config/settings.ts'
import { sharesOf } from '../../src/rewards/settlement/shares.ts'

test('.env.example has every setting and no other', () => {
  const example = readFileSync('.env.example', 'utf8')
  const named = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(Object.keys(Settings.shape).sort())
})

test('the worked example of docs/settlement.md follows from the terms above it', () => {
  const page = readFileSync('docs/settlement.md', 'utf8')
  const terms = JSON.parse(/"settlement": (\{[^}]+\})/.exec(page)?.[1] ?? '')
  const { restaurantCents, partnerCents, platformCents } = sharesOf(42_10, 126, terms)
  const miles = Math.floor((126 * terms.centsPer100Units) / 100)
  const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
  expect(page.replace(/\s+/g, ' ')).toContain(
    `A bill of $42.10 that earns 126 miles: the restaurant owes ${dollars(restaurantCents)}; the partner is owed ${dollars(miles)} for the miles and, of the other ${dollars(restaurantCents - miles)} at ${terms.partnerShare / 100} %, ${dollars(partnerCents - miles)}; ${dollars(platformCents)} stay.`,
  )
})
