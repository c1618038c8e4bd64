import { useCopy } from './use-copy.tsx'

/**
 * Returns a function that localizes the error of a form field: those of forms are message keys, the server's are
 * already localized.
 */
export function useFieldText(): (message: string | undefined) => string | undefined {
  const t = useCopy()
  return (message) => (message !== undefined && isKey.test(message) ? t(message) : message)
}

const isKey = /^[a-z]+\.[\w.]+(\|.*)?$/
