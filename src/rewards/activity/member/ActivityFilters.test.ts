import { expect, test, vi } from 'vitest'

test('a period has the name of its year or month, whatever the time zone of the browser is', async () => {
  vi.resetModules()
  vi.stubEnv('TZ', 'America/Los_Angeles')
  expect(new Date('2026-03-01').getDate()).toBe(28)
  const { periodText } = await import('./ActivityFilters.tsx')
  expect(['2026', '2026-01', '2026-03'].map(periodText)).toEqual(['2026', 'January 2026', 'March 2026'])
})
