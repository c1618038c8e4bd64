import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { formatPhone } from '../../kit/phone.ts'
import { usStates } from '../../kit/us-states.ts'
import { showFieldErrors, useContractForm, whenLeft } from '../../kit/web/form.ts'
import { keyOf, useApi } from '../../kit/web/query.ts'
import { leftForSignIn } from '../../kit/web/redirects.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { useZipCheck } from '../../places/member/embed/use-zip-check.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import { RequiredNote } from '../../ui/RequiredNote.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { getMember, type Member } from '../contract.ts'
import { ProfileForm, updateMember } from '../profile/contract.ts'
import { profileFields, profileOf, profileProblems } from '../profile/rules.ts'
import styles from './ProfilePage.module.css'
import { TextMessages } from './TextMessages.tsx'

/** The profile as a form: with the fields this program has, and those that are changed elsewhere shown as they are. */
export function ProfileFields({ member }: { member: Member }) {
  const t = useCopy()
  const text = useFieldText()
  const { config } = useProgram()
  const has = profileFields(config)
  const form = useContractForm(ProfileForm, profileOf(member))
  const checkZip = useZipCheck(form, 'zipCode')
  const { failure, submit } = useSave(form)
  const { errors, isSubmitting } = form.formState
  const field = (name: Parameters<typeof form.register>[0]) => ({
    ...form.register(name),
    error: text(errors[name]?.message as string | undefined),
  })
  const requiredText = t('form.required_reader')
  const required = { required: true, requiredText }
  const addressRequired = { required: has.addressRequired, requiredText }

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      <RequiredNote text={t('form.required_note')} />
      <div className={styles.pair}>
        <TextField
          label={t('join.first_name')}
          autoComplete="given-name"
          maxLength={20}
          disabled={!has.namesEditable}
          hint={has.namesEditable ? undefined : t('join.name_from_partner')}
          {...required}
          {...field('firstName')}
        />
        <TextField
          label={t('join.last_name')}
          autoComplete="family-name"
          maxLength={20}
          disabled={!has.namesEditable}
          {...required}
          {...field('lastName')}
        />
      </div>
      <TextField label={t('profile.email')} value={member.email} disabled readOnly hint={t('profile.email_hint')} />
      {has.password && (
        <TextField
          label={t('login.password')}
          type="password"
          value="••••••••••"
          autoComplete="off"
          disabled
          readOnly
          hint={t('profile.password_hint')}
        />
      )}
      <TextField
        label={t('join.address1')}
        autoComplete="address-line1"
        maxLength={30}
        {...addressRequired}
        {...field('address1')}
      />
      <TextField label={t('join.address2')} autoComplete="address-line2" maxLength={30} {...field('address2')} />
      <div className={styles.pair}>
        <TextField
          label={t('join.city')}
          autoComplete="address-level2"
          maxLength={20}
          {...addressRequired}
          {...field('city')}
        />
        <SelectField label={t('join.state')} autoComplete="address-level1" {...addressRequired} {...field('state')}>
          <option value="">{t('join.state_choose')}</option>
          {usStates.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={t('join.zip')}
        autoComplete="postal-code"
        inputMode="numeric"
        maxLength={5}
        {...required}
        {...whenLeft(field('zipCode'), checkZip)}
      />
      {has.phone && <TextMessages form={form} before={formatPhone(member.phoneNumber)} />}
      {has.emailOptIn && <CheckboxField label={t('consents.email_offers')} {...field('emailOptIn')} />}
      <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
        {t('profile.save')}
      </Button>
      {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
    </ScriptForm>
  )
}

type Form = ReturnType<typeof useContractForm<typeof ProfileForm>>

/** Sends what was changed; what came of it is told at the top, and, when it is not a field's fault, at the end. */
function useSave(form: Form) {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const { config } = useProgram()
  const [failure, setFailure] = useState<string | null>(null)
  // Read here, so that the form keeps count of it.
  const { isDirty } = form.formState

  const send = form.handleSubmit(async (values) => {
    setFailure(null)
    const problems = profileProblems(values, config)
    for (const [index, { field, message }] of problems.entries()) {
      form.setError(field as 'zipCode', { message }, { shouldFocus: index === 0 })
    }
    if (problems.length > 0) return
    try {
      const member = await api.call(updateMember, { body: values })
      cache.setQueryData(keyOf(getMember, {}), member)
      form.reset(profileOf(member))
      toasts.show({ id: 'profile', kind: 'success', message: t('profile.saved') })
    } catch (error) {
      if (leftForSignIn(error)) return
      toasts.show({ id: 'profile', kind: 'error', message: t('profile.not_saved') })
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return {
    failure,
    submit(event: React.FormEvent) {
      event.preventDefault()
      if (isDirty) return void send(event)
      toasts.show({ id: 'profile', kind: 'warning', message: t('profile.unchanged') })
    },
  }
}
