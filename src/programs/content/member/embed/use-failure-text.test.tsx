import { expect, test } from 'vitest'
import { renderText } from '../../../../../tests/support/render-part.tsx'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useFailureText } from './use-failure-text.ts'

function Failure({ error }: { error: unknown }) {
  return useFailureText()(error)
}

test('a failed call has the text of the server, else one that says whether the server was reached', () => {
  const text = (error: unknown) => renderText(<Failure error={error} />)
  const failure = (status: number, title: string) => text(new ApiCallError(status, { code: 'x', title }))
  expect(failure(409, 'Taken.')).toBe('Taken.')
  expect(failure(0, '')).toMatch(/^We could not reach .*Check your connection/)
  expect([failure(500, ''), text(new Error('any'))]).toEqual([
    expect.stringContaining('Something went wrong'),
    expect.stringContaining('Something went wrong'),
  ])
})
