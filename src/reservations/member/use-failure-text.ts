import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { ApiError } from '../../kit/web/api.ts'

/** What to tell a diner of a call that failed: what the server said of it, else that it did not work. */
export function useFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => {
    const known = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.title !== ''
    return known ? error.title : t('refusal.reservationFailed')
  }
}
