import type { ComponentType } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Page as ErrorPage } from '../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../shell/member/NotFoundPage.tsx'
import { Shell } from '../shell/member/Shell.tsx'
import { referenceOf } from './route-failure.ts'

/** The error page of a route: not found (404), or a failure with its reference code. */
export function RouteError() {
  return (
    <Shell>
      <Failure NotFound={NotFoundPage} />
    </Shell>
  )
}

/** The error within the page frame, with the page's own not-found component. */
export function Failure({ NotFound }: { NotFound: ComponentType }) {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <ErrorPage reference={referenceOf(error)} />
}
