import { Component, type ReactNode } from 'react'
import { useLocation, usePage } from '../../platform/browser/router/RouterProvider.tsx'
import type { Location } from '../../platform/browser/router/router.ts'
import { Page as ErrorPage } from '../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../shell/member/NotFoundPage.tsx'
import { type Failure, failureOf, type LoadedPage } from './page.ts'

/** The page of the current location, or why it is not shown. */
export function ShownPage() {
  const { page, layout: Layout, failure } = usePage() as LoadedPage
  const location = useLocation()
  const NotFound = page?.NotFound ?? NotFoundPage
  if (failure?.status === 404) return <NotFound />
  if (failure || !page) return <ErrorPage reference={failure?.reference ?? ''} />
  const { Page } = page
  const shown = <Page />
  return <CatchError location={location}>{Layout ? <Layout>{shown}</Layout> : shown}</CatchError>
}

interface CatchState {
  failure: Failure | null
  /** Where the failure happened: the next page is rendered again. */
  location: Location
}

/** Shows the error page when a page cannot be rendered. */
class CatchError extends Component<{ location: Location; children: ReactNode }, CatchState> {
  override state: CatchState = { failure: null, location: this.props.location }

  static getDerivedStateFromProps({ location }: { location: Location }, state: CatchState): CatchState | null {
    return location === state.location ? null : { failure: null, location }
  }

  static getDerivedStateFromError(error: unknown): Pick<CatchState, 'failure'> {
    return { failure: failureOf(error) }
  }

  override render() {
    const { failure } = this.state
    return failure ? <ErrorPage reference={failure.reference} /> : this.props.children
  }
}
