import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'

/** Returns the text of a failed passkey: the message of its error code; without one, the dialog was left. */
export function usePasskeyFailureText(): (error: unknown) => string {
  const t = useCopy()
  return (error) => (error instanceof ApiCallError && error.title ? error.title : t('passkey.given_up'))
}
