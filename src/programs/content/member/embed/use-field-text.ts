import { translateMessage } from '../../../../platform/browser/form.ts'
import { useCopy } from './use-copy.tsx'

/** Returns the localized error of a form field. */
export function useFieldText(): (message: string | undefined) => string | undefined {
  const t = useCopy()
  return (message) => translateMessage(t, message)
}
