import { useState } from 'react'
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { onBlurThen } from '../../../platform/browser/form.ts'
import { formatPhone, phoneDigits } from '../../../platform/phone.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useFieldText } from '../../../programs/content/member/embed/use-field-text.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { ProfileForm } from '../profile/forms.ts'
import { isSmsConsentValid, profileFields } from '../profile/rules.ts'
import styles from './ProfilePage.module.css'

interface Props {
  form: UseFormReturn<z.input<typeof ProfileForm>, unknown, ProfileForm>
  /** The formatted number for which consent was given. */
  before: string
}

/** The phone number and its text message consent, which applies to one number. */
export function TextMessages({ form, before }: Props) {
  const t = useCopy()
  const text = useFieldText()
  const { config } = useProgram()
  const has = profileFields(config)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [phone, smsOptIn] = useWatch({ control: form.control, name: ['phoneNumber', 'smsOptIn'] })
  const { errors } = useFormState({ control: form.control, name: 'phoneNumber' })
  const after = phone ?? ''

  function follow(value: string) {
    if (smsOptIn && !isSmsConsentValid({ before, after: value }, config))
      form.setValue('smsOptIn', false, { shouldDirty: true })
  }
  function tidy(value: string) {
    const digits = phoneDigits(value)
    const tidied = digits ? formatPhone(digits) : value
    form.setValue('phoneNumber', tidied, { shouldValidate: true, shouldDirty: true })
    follow(tidied)
  }
  function turn(on: boolean) {
    if (on && has.smsDialog) return setDialogOpen(true)
    form.setValue('smsOptIn', on, { shouldDirty: true })
  }

  return (
    <>
      <TextField
        label={t('join.phone')}
        type="tel"
        autoComplete="tel-national"
        hint={t('join.phone_hint_consent')}
        error={text(errors.phoneNumber?.message)}
        {...onBlurThen(
          form.register('phoneNumber', {
            // The first form of consent is for one number, so every change of the number withdraws it.
            onChange: (event) => (event.target.value === '' || !has.smsDialog) && follow(event.target.value),
          }),
          tidy,
        )}
      />
      <CheckboxField
        label={t('consents.sms_offers')}
        checked={smsOptIn === true}
        disabled={after.trim() === ''}
        onChange={(event) => turn(event.target.checked)}
      />
      {isDialogOpen && (
        <ConsentDialog
          onEnd={(agreed) => {
            setDialogOpen(false)
            form.setValue('smsOptIn', agreed, { shouldDirty: true })
          }}
        />
      )}
    </>
  )
}

/** The second form of consent: a dialog with its text and a checkbox that must be ticked to agree. */
function ConsentDialog({ onEnd }: { onEnd: (agreed: boolean) => void }) {
  const t = useCopy()
  const [ticked, setTicked] = useState(false)
  return (
    <Dialog open onClose={() => onEnd(false)} title={t('profile.sms_title')} closeLabel={t('dialog.close')}>
      <CheckboxField
        label={t('consents.sms_offers')}
        checked={ticked}
        onChange={(event) => setTicked(event.target.checked)}
      />
      <div className={styles.actions}>
        <Button type="button" onClick={() => onEnd(ticked)}>
          {t('profile.sms_confirm')}
        </Button>
        <Button type="button" variant="quiet" onClick={() => onEnd(false)}>
          {t('profile.sms_cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
