import { isRouteErrorResponse } from 'react-router'
import { ApiCallError } from '../../platform/browser/api.ts'

/** A route error as sent to the browser: the router treats it as a response with this status. */
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

/** Returns the reference code of an error; empty when it is not from a failed server response. */
export function referenceOf(error: unknown): string {
  if (error instanceof ApiCallError) return error.reference
  return isRouteErrorResponse(error) && typeof error.data?.reference === 'string' ? error.data.reference : ''
}
