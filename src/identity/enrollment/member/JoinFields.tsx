import { onBlurThen } from '../../../platform/browser/form.ts'
import { useLocation, useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { formatPhone, phoneDigits } from '../../../platform/phone.ts'
import { stateNames } from '../../../platform/us-state-names.ts'
import { usStates } from '../../../platform/us-states.ts'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { useZipCheck } from '../../../programs/places/member/embed/use-zip-check.ts'
import { marketingValues } from '../../../programs/tracking/member/embed/marketing.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useBotCheck } from '../../bot-check/member/embed/use-bot-check.ts'
import { useMember, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { renewCsrf } from '../../session/member/embed/csrf.ts'
import { PasswordInput } from '../../session/member/embed/PasswordInput.tsx'
import { usePasswordCheck } from '../../session/member/embed/use-password-check.ts'
import { passwordFloor } from '../../session/rules.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import { join } from '../contract.ts'
import { JoinForm } from '../forms.ts'
import { joinFields, joinFormProblems, toSend } from '../rules.ts'
import styles from './Enrollment.module.css'
import { useEmailCheck } from './use-email-check.ts'
import { useInvited } from './use-invited.ts'

/** Initial values of the fields that nothing fills in. */
const emptyValues = {
  zipCode: '',
  password: '',
  passwordConfirm: '',
  partnerNumber: '',
  phoneNumber: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  emailOptIn: false,
  termsAccepted: false,
}

/** The form of step one, with the fields of this program. */
export function JoinFields() {
  const t = useCopy()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const location = useLocation()
  const search = useSearchParams()
  const withBotCheck = useBotCheck()
  const known = useInvited()
  const { config } = useProgram()
  const member = useMember()
  const has = joinFields(config)
  const state = useMemberForm(JoinForm, initialValues(), {
    post: 'join',
    problems: (values) => joinFormProblems(values, config),
    failedText: t('join.form_error'),
  })
  const { form, field, submitting } = state
  const requiredText = t('form.required_reader')
  const checkEmail = useEmailCheck(form)
  const checkZip = useZipCheck(form)
  const checkPassword = usePasswordCheck(form)

  const submit = submitting(async (values, send) => {
    const joined = await withBotCheck(send, (gRecaptchaResponse) =>
      send(join, { body: { ...toSend(values, config), ...marketingValues(), gRecaptchaResponse } }),
    )
    renewCsrf(joined.csrfToken)
    await refreshMember()
    await navigate(withReturn('/add_card', returnPathIn(search)))
  })

  function initialValues() {
    return {
      ...emptyValues,
      email: member?.email ?? (location.state as { email?: string } | null)?.email ?? '',
      firstName: member?.firstName ?? known?.firstName ?? '',
      lastName: member?.lastName ?? '',
    }
  }

  return (
    <MemberForm state={state} onSubmit={submit} className={styles.form}>
      <div className={styles.pair}>
        <TextField
          label={t('join.first_name')}
          autoComplete="given-name"
          required
          requiredText={requiredText}
          readOnly={!has.namesEditable}
          hint={has.namesEditable ? undefined : t('join.name_from_partner')}
          {...field('firstName')}
        />
        <TextField
          label={t('join.last_name')}
          autoComplete="family-name"
          required={has.namesEditable}
          requiredText={requiredText}
          readOnly={!has.namesEditable}
          {...field('lastName')}
        />
      </div>
      <TextField
        label={t('join.email')}
        type="email"
        autoComplete="email"
        required
        requiredText={requiredText}
        readOnly={!has.namesEditable}
        hint={member?.emailIsShared ? t('profile.email_shared') : undefined}
        {...onBlurThen(field('email'), checkEmail)}
      />
      {has.partnerNumber && (
        <TextField label={t('join.partner_number')} required requiredText={requiredText} {...field('partnerNumber')} />
      )}
      {has.address && (
        <>
          <TextField
            label={t('join.address1')}
            autoComplete="address-line1"
            required
            requiredText={requiredText}
            {...field('address1')}
          />
          <TextField label={t('join.address2')} autoComplete="address-line2" {...field('address2')} />
          <div className={styles.pair}>
            <TextField
              label={t('join.city')}
              autoComplete="address-level2"
              required
              requiredText={requiredText}
              {...field('city')}
            />
            <SelectField
              label={t('join.state')}
              autoComplete="address-level1"
              required
              requiredText={requiredText}
              {...field('state')}
            >
              <option value="">{t('join.state_choose')}</option>
              {usStates.map((code) => (
                <option key={code} value={code}>
                  {stateNames[code]}
                </option>
              ))}
            </SelectField>
          </div>
        </>
      )}
      <TextField
        label={t('join.zip')}
        autoComplete="postal-code"
        inputMode="numeric"
        required
        requiredText={requiredText}
        hint={t('join.zip_hint')}
        {...onBlurThen(field('zipCode'), checkZip)}
      />
      {has.phone && (
        <TextField
          label={t('join.phone')}
          type="tel"
          autoComplete="tel-national"
          hint={t(has.smsConsent ? 'join.phone_hint_consent' : 'join.phone_hint')}
          {...onBlurThen(field('phoneNumber'), (value) => {
            const digits = phoneDigits(value)
            form.setValue('phoneNumber', digits ? formatPhone(digits) : value, { validate: true })
          })}
        />
      )}
      {has.smsConsent && <CheckboxField label={t('join.sms_consent')} {...field('smsOptInV2')} />}
      {has.password && (
        <>
          <PasswordInput
            label={t('join.password')}
            autoComplete="new-password"
            minLength={passwordFloor}
            hint={t('join.password_hint')}
            {...onBlurThen(field('password'), (password) => {
              const [firstName, lastName, email] = [
                form.getValue('firstName'),
                form.getValue('lastName'),
                form.getValue('email'),
              ]
              checkPassword(password, { firstName, lastName, email })
              // The confirmation depends on the password, so it is validated again.
              if (form.getValue('passwordConfirm')) form.validate('passwordConfirm')
            })}
          />
          <PasswordInput label={t('join.password_confirm')} autoComplete="new-password" {...field('passwordConfirm')} />
        </>
      )}
      {has.emailOptIn && <CheckboxField label={t('join.email_opt_in')} {...field('emailOptIn')} />}
      <CheckboxField label={t('join.terms')} required requiredText={requiredText} {...field('termsAccepted')} />
      {config.extraPaths.includes('/terms') && (
        <p className={styles.terms}>
          <a href="/terms" target="_blank" rel="noopener">
            {t('join.terms_link')} <span className="visually-hidden">{t('join.new_tab')}</span>
          </a>
        </p>
      )}
      <Button type="submit" busy={state.isSubmitting ? t('form.busy') : false}>
        {t('join.submit')}
      </Button>
    </MemberForm>
  )
}
