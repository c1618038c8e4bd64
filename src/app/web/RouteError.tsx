import type { ComponentType } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Page as ErrorPage } from '../../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../../shell/member/NotFoundPage.tsx'
import { Shell } from '../../shell/member/Shell.tsx'
import { referenceOf } from './route-failure.ts'

/** What shows when a route could not: nothing there (404), or a failure with its reference code. */
export function RouteError() {
  return (
    <Shell>
      <Failure NotFound={NotFoundPage} />
    </Shell>
  )
}

/** The same within the frame, for a page with its own words for nothing found. */
export function Failure({ NotFound }: { NotFound: ComponentType }) {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <ErrorPage reference={referenceOf(error)} />
}
