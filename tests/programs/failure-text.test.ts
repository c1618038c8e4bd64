import { createElement } from 'react'
import { expect, test } from 'vitest'
import { ApiCallError } from '../../src/platform/browser/api.ts'
import { useFailureText } from '../../src/programs/content/member/embed/use-failure-text.ts'
import { renderText } from '../support/render-part.tsx'

const Failure = ({ error }: { error: unknown }) => useFailureText()(error)

test('a failed call has the text of the server, else one that says whether the server was reached', () => {
  const text = (error: unknown) => renderText(createElement(Failure, { error }))
  const failure = (status: number, title: string) => text(new ApiCallError(status, { code: 'x', title }))
  expect(failure(409, 'Taken.')).toBe('Taken.')
  expect(failure(0, '')).toMatch(/^We could not reach .*Check your connection/)
  for (const other of [failure(500, ''), text(new Error('any'))]) expect(other).toContain('Something went wrong')
})
