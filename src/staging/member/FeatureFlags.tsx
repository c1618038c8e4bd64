import { useState } from 'react'
import { useApi } from '../../platform/browser/query.ts'
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
  const api = useApi()
  const toasts = useToasts()
  const { authFlags } = useProgram().flags
  const [on, setOn] = useState(authFlags)
  async function turn(name: (typeof flags)[number][0], value: boolean) {
    setOn((before) => ({ ...before, [name]: value }))
    try {
      await api.call(setFlag, { body: { kind: 'authFlags', name, value } })
    } catch {
      setOn((before) => ({ ...before, [name]: !value }))
      toasts.show({ kind: 'error', message: t('errors.general') })
    }
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
