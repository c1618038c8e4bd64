import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RouterProvider } from '../../../platform/browser/router/RouterProvider.tsx'
import { createStaticRouter } from '../../../platform/browser/router/router.ts'
import { BootContext } from '../../../programs/partners/member/embed/use-program.ts'
import { PreviewBar } from './PreviewBar.tsx'

const barOf = (program: { preview: boolean; config: { cmsPreview: boolean } }) =>
  renderToString(
    <BootContext value={program as never}>
      <RouterProvider
        router={createStaticRouter(new URL('http://skyharbor.localhost/search?location=10001'), { params: {} })}
      >
        <PreviewBar />
      </RouterProvider>
    </BootContext>,
  )

test('leaving a preview leads to the same page with its query', () => {
  const preview = barOf({ preview: true, config: { cmsPreview: false } })
  expect(preview).toContain('href="/preview/leave?to=%2Fsearch%3Flocation%3D10001"')
  expect(barOf({ preview: true, config: { cmsPreview: true } })).toBe('')
  expect(barOf({ preview: false, config: { cmsPreview: false } })).toBe('')
})
