import { createElement } from 'react'
import { afterAll, expect, test } from 'vitest'
import { SurveyBar } from '../../src/programs/surveys/member/embed/SurveyBar.tsx'
import { restoreGlobals } from '../support/page-window.ts'
import { openPart } from '../support/part-window.ts'

afterAll(restoreGlobals)

const survey = { id: 'table-talk', text: 'Two questions?' } as never

async function addressOf(known: { publicId: string } | null): Promise<URL> {
  const bar = createElement(SurveyBar, {
    survey,
    startsOpen: true,
    covers: () => false,
    onCollapse: () => {},
    onClose: () => {},
  })
  const { screen } = await openPart(bar, { path: '/earn', known })
  return new URL(screen.getByTitle('Two questions?').getAttribute('src') ?? '')
}

test('SURV-009 the form of a survey is told who a known visitor is, and nobody for a stranger', async () => {
  expect((await addressOf({ publicId: 'AAAAAAAAAAAAAAAAAAAAAA' })).searchParams.get('public_id')).toBe(
    'AAAAAAAAAAAAAAAAAAAAAA',
  )
  const { searchParams } = await addressOf(null)
  expect([searchParams.has('public_id'), searchParams.get('utm_source')]).toEqual([false, '/earn'])
})
