import { phoneProblem } from '../kit/phone.ts'
import type { FieldError } from '../kit/refusal.ts'
import { addressProblems } from '../members/rules.ts'
import type { PublicConfig } from '../partners/contract.ts'
import { plainPartnerNumber } from '../partners/rules.ts'
import { cutPassword, passwordConfirmProblem } from '../session/rules.ts'
import type { JoinForm } from './contract.ts'

/** Which parts the join form has for a program and for someone who may already be signed in (sso). */
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

/** The explicit consent of the second form if given, otherwise a given phone number counts (first form only). */
export function smsOptInOf(form: Pick<JoinForm, 'smsOptInV2' | 'phoneNumber'>, config: PublicConfig): boolean {
  if (form.phoneNumber.trim() === '') return false
  if (form.smsOptInV2 !== undefined) return form.smsOptInV2
  return config.hasSmsOptIn && !config.hasSmsOptInV2
}

/** The form as it leaves the browser: passwords cut, and the consent to texts said outright where there is a phone field. */
export function toSend(form: JoinForm, config: PublicConfig): JoinForm {
  const { password, passwordConfirm } = form
  return {
    ...form,
    password: cutPassword(password),
    passwordConfirm: cutPassword(passwordConfirm),
    ...(joinFields(config).phone && { smsOptIn: smsOptInOf(form, config) }),
  }
}

/** What a program asks for beyond the shape of the form; messages are copy keys. */
export function joinProblems(form: JoinForm, config: PublicConfig): FieldError[] {
  const has = joinFields(config)
  const problems: FieldError[] = []
  const say = (field: keyof JoinForm, message: string | null) => message && problems.push({ field, message })
  if (has.password && form.password === '') say('password', 'validation.new_password_missing')
  if (has.password) say('passwordConfirm', passwordConfirmProblem(form))
  if (has.partnerNumber) say('partnerNumber', partnerNumberProblem(form.partnerNumber, config))
  if (has.phone) say('phoneNumber', phoneProblem(form.phoneNumber))
  if (has.smsConsent && form.smsOptInV2 && form.phoneNumber.trim() === '')
    say('phoneNumber', 'validation.phone_for_texts')
  return has.address ? [...problems, ...addressProblems(form)] : problems
}

function partnerNumberProblem(number: string, config: PublicConfig): string | null {
  if (number === '') return 'validation.partner_number_missing'
  return new RegExp(config.partnerNumberPattern).test(plainPartnerNumber(number, config))
    ? null
    : 'join.partner_number_format'
}
