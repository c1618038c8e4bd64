import { useHydrated } from '../../platform/browser/use-hydrated.ts'
import { Button } from '../../ui/Button.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { stagingText } from '../copy.ts'
import { faultCookie, faultCookieOf, faults } from '../rules.ts'
import styles from './StagingPage.module.css'

const current = () => {
  const [fault = '', prefix = ''] =
    document.cookie
      .split('; ')
      .find((each) => each.startsWith(`${faultCookie}=`))
      ?.split('=')[1]
      ?.split('%20') ?? []
  return { fault, prefix: decodeURIComponent(prefix) }
}

/** Lets requests of this browser fail, to see what each page says. */
export function FaultTools() {
  const isScripted = useHydrated()
  const { fault, prefix } = isScripted ? current() : { fault: '', prefix: '' }
  return (
    <>
      <p>{stagingText('states.fault_lead')}</p>
      <p role="status">
        {fault
          ? stagingText('states.fault_now', { fault: stagingText(`states.fault_${fault}`), prefix })
          : stagingText('states.fault_off')}
      </p>
      <ScriptForm
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const chosen = faults.find((each) => each === form.get('fault')) ?? ''
          // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookie store yet
          document.cookie = faultCookieOf(chosen, String(form.get('prefix')).trim())
          location.reload()
        }}
      >
        <SelectField key={`fault ${fault}`} label={stagingText('states.fault')} name="fault" defaultValue={fault}>
          {['', ...faults].map((each) => (
            <option key={each} value={each}>
              {stagingText(`states.fault_${each || 'never'}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          key={`prefix ${prefix}`}
          label={stagingText('states.fault_prefix')}
          hint={stagingText('states.fault_prefix_hint')}
          name="prefix"
          defaultValue={prefix || '/api/'}
        />
        <Button type="submit" variant="secondary">
          {stagingText('states.fault_submit')}
        </Button>
      </ScriptForm>
    </>
  )
}
