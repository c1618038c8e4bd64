import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useCopy } from './use-copy.tsx'

/** The code of a call that was not sent because there is no CSRF token. The shell shows it as a toast. */
export const noToken = 'CSRF-0'

/** Returns the message of a failed call: the message of its error code, else a general or offline message. */
export function useFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => {
    if (!(error instanceof ApiCallError)) return t('errors.general')
    // Refused with a new token too: the browser sends no cookie.
    if (error.code === 'csrf') return t('errors.cookies')
    if (error.code === noToken) return t('errors.with_code', { code: noToken })
    return error.title || t(error.status === 0 ? 'errors.offline' : 'errors.general')
  }
}
