import { ApiCallError } from '../../platform/browser/api.ts'

/**
 * Returns the status of a rendered page: that of its route, but 503 when a loader could not reach the database, so that
 * caches and crawlers do not store the error as the page.
 */
export function pageStatus({
  statusCode,
  errors,
}: {
  statusCode: number
  errors: Record<string, unknown> | null
}): number {
  const isUnavailable = Object.values(errors ?? {}).some(
    (error) => error instanceof ApiCallError && error.status === 503,
  )
  return isUnavailable ? 503 : statusCode
}
