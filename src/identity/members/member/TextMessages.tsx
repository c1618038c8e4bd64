import { type ChangeEvent, useState } from 'react'
import { onBlurThen, useFieldValue } from '../../../platform/browser/form.ts'
import { formatPhone, phoneDigits } from '../../../platform/phone.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import type { MemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { ProfileForm } from '../profile/forms.ts'
import { isSmsConsentValid, profileFields } from '../profile/rules.ts'
import styles from './ProfilePage.module.css'

interface Props {
  state: MemberForm<typeof ProfileForm>
  /** The stored number, formatted. */
  before: string
  /** Whether consent is stored for it. */
  consented: boolean
}

/** The phone number and its text message consent, which applies to one number. */
export function TextMessages({ state: { form, field }, before, consented }: Props) {
  const t = useCopy()
  const { config } = useProgram()
  const has = profileFields(config)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const phone = useFieldValue(form, 'phoneNumber')
  const smsOptIn = useFieldValue(form, 'smsOptIn')
  const registered = field('phoneNumber')
  // Whether the number that is typed, not the member, has unticked the box.
  const [isWithdrawn, setWithdrawn] = useState(false)
  const ends = consented && !smsOptIn && !isSmsConsentValid({ before, after: phone }, config)

  function follow(value: string) {
    const isValid = isSmsConsentValid({ before, after: value }, config)
    if (smsOptIn && !isValid) turnTo(false)
    // A slip that is corrected costs no consent.
    else if (isWithdrawn && consented && isValid) turnTo(true)
    else return
    setWithdrawn(!isValid)
  }
  function change(event: ChangeEvent<HTMLInputElement>) {
    registered.onChange(event)
    const { value } = event.target
    // The first form of consent is for one number, so every change of the number withdraws it.
    if (value === '' || !has.smsDialog) follow(value)
  }
  function tidy(value: string) {
    const digits = phoneDigits(value)
    const tidied = digits ? formatPhone(digits) : value
    form.setValue('phoneNumber', tidied, { validate: true })
    follow(tidied)
  }
  function turnTo(on: boolean) {
    form.setValue('smsOptIn', on)
    setWithdrawn(false)
  }
  function turn(on: boolean) {
    if (on && has.smsDialog) return setDialogOpen(true)
    turnTo(on)
  }

  return (
    <>
      <TextField
        label={t('join.phone')}
        type="tel"
        autoComplete="tel-national"
        hint={t('join.phone_hint_consent')}
        {...onBlurThen({ ...registered, onChange: change }, tidy)}
      />
      <div>
        <CheckboxField
          label={t('consents.sms_offers')}
          checked={smsOptIn}
          disabled={phone.trim() === ''}
          onChange={(event) => turn(event.target.checked)}
        />
        <p role="status" className={styles.ends}>
          {ends && t(endsText(phone, has.smsDialog), { before })}
        </p>
      </div>
      {isDialogOpen && (
        <ConsentDialog
          onEnd={(agreed) => {
            setDialogOpen(false)
            turnTo(agreed)
          }}
        />
      )}
    </>
  )
}

/** Returns the copy key of why the texts end with a change of the number. */
function endsText(phone: string, anyNumber: boolean): string {
  if (phone.trim() === '') return 'profile.sms_ends_none'
  return anyNumber ? 'profile.sms_ends_invalid' : 'profile.sms_ends'
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
