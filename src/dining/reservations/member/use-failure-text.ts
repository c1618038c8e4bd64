import { ApiCallError } from '../../../platform/browser/api.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'

/** Returns the text for a failed call: the server's message, else a general one. */
export function useFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => {
    const known = error instanceof ApiCallError && error.status >= 400 && error.status < 500 && error.title !== ''
    return known ? error.title : t('error.reservationFailed')
  }
}
