import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Pagination } from './Pagination.tsx'

test('the numbers of a list’s pages say which one is shown, and where there is no further one', () => {
  const buttonsOf = (page: number) => {
    const html = renderToString(
      <Pagination
        page={page}
        totalPages={3}
        label="Pages"
        pageOfText=""
        previousText="Previous"
        nextText="Next"
        onChange={() => {}}
      />,
    )
    return [...html.matchAll(/<button([^>]*)>(\w+)/g)].flatMap(([, attributes = '', text]) => {
      if (attributes.includes('aria-current="page"')) return [`${text} current`]
      return attributes.includes('aria-disabled="true"') ? [`${text} disabled`] : []
    })
  }
  expect([buttonsOf(1), buttonsOf(2), buttonsOf(3)]).toEqual([
    ['Previous disabled', '1 current'],
    ['2 current'],
    ['3 current', 'Next disabled'],
  ])
})
