import { apiQueryKey, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { listFlags, setFlag } from '../contract.ts'
import { stagingText } from '../copy.ts'

/** All feature flags of the program; a change applies to every visitor's next page. */
export function AllFeatureFlags() {
  const cache = useQueryCache()
  const toasts = useToasts()
  const { flags } = useApiSuspenseQuery(listFlags, {})
  const { run } = useApiMutation(setFlag, {
    queued: true,
    onSuccess: () => cache.invalidate(apiQueryKey(listFlags)),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })
  return flags.map(({ kind, name, value }) => (
    <CheckboxField
      key={`${kind}.${name}`}
      label={stagingText('states.flag', { kind, name })}
      checked={value}
      onChange={(event) => run({ body: { kind, name, value: event.target.checked } })}
    />
  ))
}
