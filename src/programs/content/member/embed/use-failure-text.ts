import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useCopy } from './use-copy.tsx'

/** Returns the message of a failed call: the message of its error code, else a general or offline message. */
export function useFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => {
    if (!(error instanceof ApiCallError)) return t('errors.general')
    return error.title || t(error.status === 0 ? 'errors.offline' : 'errors.general')
  }
}
