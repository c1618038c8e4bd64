import type { FieldError } from '../../platform/errors.ts'
import { readForm } from '../../platform/form-fields.ts'
import { phoneProblem } from '../../platform/us-phone.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { plainPartnerNumber } from '../../programs/partners/rules.ts'
import { addressProblems } from '../members/rules.ts'
import { newPasswordProblem, passwordConfirmProblem } from '../session/rules.ts'
import { type JoinForm, TypedIdentity } from './forms.ts'

/** Returns the fields of the join form for a program. */
export function joinFields(config: PublicConfig) {
  return {
    password: config.enrollmentType === 'direct',
    namesEditable: config.enrollmentType !== 'sso',
    partnerNumber: config.hasPPN,
    phone: config.hasSmsOptIn || config.hasSmsOptInV2,
    smsConsent: config.hasSmsOptInV2,
    address: config.fullAddressRequired && config.currencyType !== 'Credit',
    emailOptIn: !config.hideEmailOptIn,
  }
}

/** Returns the explicit consent of the second form if given; in the first form a phone number implies consent. */
export function smsOptInOf(form: Pick<JoinForm, 'smsOptInV2' | 'phoneNumber'>, config: PublicConfig): boolean {
  if (form.phoneNumber.trim() === '') return false
  if (form.smsOptInV2 !== undefined) return form.smsOptInV2
  return config.hasSmsOptIn && !config.hasSmsOptInV2
}

/** Returns the form as submitted: with an explicit text message consent when it has a phone field. */
export function toSend(form: JoinForm, config: PublicConfig): JoinForm {
  return {
    ...form,
    ...(joinFields(config).phone && { smsOptIn: smsOptInOf(form, config) }),
  }
}

/** Returns the errors of fields that only some programs require; messages are copy keys. */
export function joinProblems(form: JoinForm, config: PublicConfig): FieldError[] {
  const has = joinFields(config)
  const problems: FieldError[] = has.namesEditable ? identityProblems(form) : []
  const say = (field: keyof JoinForm, message: string | null) => message && problems.push({ field, message })
  if (has.password && form.password === '') say('password', 'validation.new_password_missing')
  if (has.password) say('passwordConfirm', passwordConfirmProblem(form))
  if (has.partnerNumber) say('partnerNumber', partnerNumberProblem(form.partnerNumber, config))
  if (has.phone) say('phoneNumber', phoneProblem(form.phoneNumber))
  if (has.smsConsent && form.smsOptInV2 && form.phoneNumber.trim() === '')
    say('phoneNumber', 'validation.phone_for_texts')
  return has.address ? [...problems, ...addressProblems(form)] : problems
}

/** Returns all errors that the page can find, with those of the new password. */
export function joinFormProblems(form: JoinForm, config: PublicConfig): FieldError[] {
  const { password, partnerNumber } = form
  const early = joinFields(config).password && password !== '' && newPasswordProblem(password, partnerNumber)
  return [...joinProblems(form, config), ...(early ? [{ field: 'password', message: early }] : [])]
}

const identityProblems = (form: JoinForm): FieldError[] =>
  Object.entries(readForm(TypedIdentity, form).errors).map(([field, message]) => ({ field, message }))

function partnerNumberProblem(number: string, config: PublicConfig): string | null {
  if (number === '') return 'validation.partner_number_missing'
  return new RegExp(config.partnerNumberPattern).test(plainPartnerNumber(number, config))
    ? null
    : 'join.partner_number_format'
}
