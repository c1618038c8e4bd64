import { useQueryClient } from '@tanstack/react-query'
import { apiQueryKey, useApi, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import type { BodyOf } from '../../platform/call.ts'
import { useFailureText } from '../../programs/content/member/embed/use-failure-text.ts'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { listFlags, setFlag } from '../contract.ts'
import { stagingText } from '../copy.ts'

/** All feature flags of the program; a change applies to every visitor's next page. */
export function AllFeatureFlags() {
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const { flags } = useApiSuspenseQuery(listFlags, {})
  async function turn(body: BodyOf<typeof setFlag>) {
    try {
      await api.call(setFlag, { body })
      await cache.invalidateQueries({ queryKey: apiQueryKey(listFlags) })
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
  }
  return flags.map(({ kind, name, value }) => (
    <CheckboxField
      key={`${kind}.${name}`}
      label={stagingText('states.flag', { kind, name })}
      checked={value}
      onChange={(event) => turn({ kind, name, value: event.target.checked })}
    />
  ))
}
