import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ApiError } from '../../kit/web/api.ts'
import { Page as ErrorPage } from '../../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../../shell/member/NotFoundPage.tsx'
import { Shell } from '../../shell/member/Shell.tsx'

/** What shows when a route could not: nothing there (404), or a failure with its reference code. */
export function RouteError() {
  const error = useRouteError()
  const missing = isRouteErrorResponse(error) && error.status === 404
  const reference = error instanceof ApiError ? error.reference : ''
  return <Shell>{missing ? <NotFoundPage /> : <ErrorPage reference={reference} />}</Shell>
}
