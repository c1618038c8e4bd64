import { isRouteErrorResponse } from 'react-router'
import { ApiError } from '../../kit/web/api.ts'

/** An error of a route as it goes to the browser: the router takes it for an answer with this status. */
export interface RouteFailure {
  status: number
  statusText: string
  internal: boolean
  data: { reference: string }
}

export const routeFailure = (status: number, reference: string): RouteFailure => ({
  status,
  statusText: '',
  internal: false,
  data: { reference },
})

/** Returns the reference code of what went wrong; empty when no answer of the server failed. */
export function referenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.reference
  return isRouteErrorResponse(error) && typeof error.data?.reference === 'string' ? error.data.reference : ''
}
