import type { Failure } from './page.ts'

/**
 * Returns the status of a rendered page: 404 when nothing is at its address, 503 when a loader could not reach the
 * database, so that caches and crawlers do not store the error as the page, and 500 for any other failure.
 */
export function pageStatus(failure: Failure | null): number {
  if (!failure) return 200
  return failure.status === 404 || failure.status === 503 ? failure.status : 500
}
