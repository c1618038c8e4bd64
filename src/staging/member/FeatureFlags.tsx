import { useState } from 'react'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../programs/partners/member/embed/use-program.ts'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { setFlag } from '../contract.ts'

const flags = [
  ['loginMaintenance', 'staging.maintenance_login'],
  ['joinMaintenance', 'staging.maintenance_join'],
  ['siteMaintenance', 'staging.maintenance_site'],
] as const

/** Feature flags of this program; a change applies to every visitor's next page. */
export function FeatureFlags() {
  const t = useCopy()
  const toasts = useToasts()
  const { authFlags } = useProgram().flags
  const [on, setOn] = useState(authFlags)
  const { run } = useApiMutation(setFlag, {
    queued: true,
    failureText: () => t('errors.general'),
    onFailure(message, _error, { body: { name, value } }) {
      setOn((before) => ({ ...before, [name]: !value }))
      toasts.show({ kind: 'error', message })
    },
  })
  function turn(name: (typeof flags)[number][0], value: boolean) {
    setOn((before) => ({ ...before, [name]: value }))
    void run({ body: { kind: 'authFlags', name, value } })
  }
  return flags.map(([name, key]) => (
    <CheckboxField
      key={name}
      label={t(key)}
      checked={on[name]}
      onChange={(event) => turn(name, event.target.checked)}
    />
  ))
}
