import { ApiError } from '../../../kit/web/api.ts'
import { useCopy } from './use-copy.tsx'

/** What a person is told of a call that failed: the refusal's own words, else that nothing was reached. */
export function useFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.general')
    return error.title || t(error.status === 0 ? 'errors.offline' : 'errors.general')
  }
}
