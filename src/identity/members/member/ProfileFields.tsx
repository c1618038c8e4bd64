import { useRef } from 'react'
import { onBlurThen } from '../../../platform/browser/form.ts'
import { apiQueryKey } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { formatPhone } from '../../../platform/phone.ts'
import { stateNames } from '../../../platform/us-state-names.ts'
import { usStates } from '../../../platform/us-states.ts'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import {
  type MemberForm as MemberFormOf,
  useMemberForm,
} from '../../../programs/content/member/embed/use-member-form.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { useZipCheck } from '../../../programs/places/member/embed/use-zip-check.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { getMember, type Member } from '../contract.ts'
import { updateMember } from '../profile/contract.ts'
import { ProfileForm } from '../profile/forms.ts'
import { profileFields, profileProblems, toProfileForm } from '../profile/rules.ts'
import { isOtherThanMember } from './embed/use-member.ts'
import styles from './ProfilePage.module.css'
import { TextMessages } from './TextMessages.tsx'

/** The profile form with the fields of this program; fields that are changed elsewhere are read-only. */
export function ProfileFields({ member }: { member: Member }) {
  const t = useCopy()
  const { config } = useProgram()
  const has = profileFields(config)
  const problems = (values: ProfileForm) => profileProblems(values, config, member)
  const state = useMemberForm(ProfileForm, toProfileForm(member), { problems })
  const { form, field } = state
  const checkZip = useZipCheck(form)
  const submit = useSave(state, member)
  const requiredText = t('form.required_reader')
  const required = { required: true, requiredText }
  const addressRequired = { required: has.addressRequired, requiredText }

  return (
    <MemberForm state={state} bannerLast onSubmit={submit} className={styles.form}>
      <div className={styles.pair}>
        <TextField
          label={t('join.first_name')}
          autoComplete="given-name"
          disabled={!has.namesEditable}
          hint={has.namesEditable ? undefined : t('join.name_from_partner')}
          {...required}
          {...field('firstName')}
        />
        <TextField
          label={t('join.last_name')}
          autoComplete="family-name"
          disabled={!has.namesEditable}
          {...required}
          {...field('lastName')}
        />
      </div>
      <TextField
        label={t('profile.email')}
        value={member.email}
        disabled
        readOnly
        hint={t(member.emailIsShared ? 'profile.email_shared' : 'profile.email_hint')}
      />
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
      <TextField label={t('join.address1')} autoComplete="address-line1" {...addressRequired} {...field('address1')} />
      <TextField label={t('join.address2')} autoComplete="address-line2" {...field('address2')} />
      <div className={styles.pair}>
        <TextField label={t('join.city')} autoComplete="address-level2" {...addressRequired} {...field('city')} />
        <SelectField label={t('join.state')} autoComplete="address-level1" {...addressRequired} {...field('state')}>
          <option value="">{t('join.state_choose')}</option>
          {usStates.map((code) => (
            <option key={code} value={code}>
              {stateNames[code]}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={t('join.zip')}
        autoComplete="postal-code"
        inputMode="numeric"
        {...required}
        {...onBlurThen(field('zipCode'), checkZip)}
      />
      {has.phone && <TextMessages state={state} before={formatPhone(member.phoneNumber)} consented={member.smsOptIn} />}
      {has.emailOptIn && <CheckboxField label={t('consents.email_offers')} {...field('emailOptIn')} />}
      <Button type="submit" busy={state.isSubmitting ? t('form.busy') : false}>
        {t('profile.save')}
      </Button>
    </MemberForm>
  )
}

/** Submits the form. Success is shown at the top, errors at the end. */
function useSave({ form, submitting }: MemberFormOf<typeof ProfileForm>, shown: Member) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  // With what the form began: a page that is older than another one must not take back what was saved there.
  const before = useRef(toProfileForm(shown))

  const send = submitting(
    async (values, send) => {
      const member = await send(updateMember, { body: { ...values, before: before.current } })
      cache.set(apiQueryKey(getMember, {}), member)
      // The consents, and what a bill earns, can be others now.
      cache.removeUnused(isOtherThanMember)
      before.current = toProfileForm(member)
      form.reset(before.current)
      toasts.show({ id: 'profile', kind: 'success', message: t('profile.saved') })
    },
    () => toasts.show({ id: 'profile', kind: 'error', message: t('profile.not_saved') }),
  )

  return (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (form.isDirty()) return void send(event)
    toasts.show({ id: 'profile', kind: 'warning', message: t('profile.unchanged') })
  }
}
