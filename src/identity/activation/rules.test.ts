import { expect, test } from 'vitest'
import { stepOf } from './rules.ts'

const known = { tierLevel: 'OptedIn', hasWebProfile: true, active: true } as const
const step = (over: Partial<Parameters<typeof stepOf>[0]>) =>
  stepOf({ publicId: 'x', known, justActivated: false, returnTo: '', ...over })

test('ACT-001 ACT-002 ACT-003 ACT-004 ACT-005 G-01 a visitor with nothing to activate is redirected with the reason', () => {
  expect(step({ publicId: null })).toEqual({ to: '/join?rfr=0' })
  expect(step({ known: null })).toEqual({ to: '/join?rfr=1' })
  expect(step({ known: { ...known, hasWebProfile: false } })).toEqual({ to: '/join?rfr=2' })
  expect(step({})).toEqual({ to: '/login?rfr=3' })
  expect(step({ known: { ...known, active: false } })).toEqual({ to: '/login?rfr=4' })
  // The page that they wanted is not forgotten.
  expect(step({ returnTo: '/search' })).toEqual({ to: '/login?rfr=3&returnTo=%2Fsearch' })
})

test('ACT-006 ACT-007 ACT-008 CMS-015 the stages are activation and activated, and there is none while the member is loading', () => {
  expect(step({ known: { ...known, tierLevel: 'NonActivated', hasWebProfile: false } })).toEqual({
    stage: 'activation',
  })
  expect(step({ known: undefined })).toBeUndefined()
  expect(step({ justActivated: true, publicId: null })).toEqual({ stage: 'activated' })
})
