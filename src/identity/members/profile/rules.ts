import type { FieldError } from '../../../platform/errors.ts'
import { readForm } from '../../../platform/form-fields.ts'
import { formatPhone, phoneDigits } from '../../../platform/phone.ts'
import { phoneProblem } from '../../../platform/us-phone.ts'
import type { PublicConfig } from '../../../programs/partners/contract.ts'
import type { Member } from '../contract.ts'
import { TypedName } from '../forms.ts'
import { addressProblems } from '../rules.ts'
import type { ProfileForm } from './forms.ts'

/** Returns the fields of a program's profile form and which of them are required. */
export function profileFields(config: PublicConfig) {
  return {
    namesEditable: config.enrollmentType !== 'sso',
    password: config.enrollmentType === 'direct',
    phone: config.hasSmsOptIn || config.hasSmsOptInV2,
    /** The second form of consent uses a dialog, and remains valid for another valid number. */
    smsDialog: config.hasSmsOptInV2,
    emailOptIn: !config.hideEmailOptIn,
    addressRequired: config.fullAddressRequired && config.currencyType !== 'Credit',
  }
}

/** Converts a member to the values of the profile form. */
export function toProfileForm({ address, ...member }: Member) {
  return {
    firstName: member.firstName,
    lastName: member.lastName,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    state: address.state,
    zipCode: address.zipCode,
    phoneNumber: formatPhone(member.phoneNumber),
    smsOptIn: member.smsOptIn,
    emailOptIn: member.emailOptIn,
  }
}

type Name = Pick<ProfileForm, 'firstName' | 'lastName'>
type Stored = Name & { phoneNumber: string }

/**
 * Returns the errors of fields that only some programs require, and of a name or phone number other than the stored one
 * (`before`); messages are copy keys.
 */
export function profileProblems(form: ProfileForm, config: PublicConfig, before: Stored): FieldError[] {
  const has = profileFields(config)
  const problems = has.namesEditable ? nameProblems(form, before) : []
  if (has.addressRequired) problems.push(...addressProblems(form))
  const isNewPhone = phoneDigits(form.phoneNumber) !== phoneDigits(before.phoneNumber)
  const phone = isNewPhone && phoneProblem(form.phoneNumber)
  if (phone) problems.push({ field: 'phoneNumber', message: phone })
  if (has.smsDialog && form.smsOptIn && form.phoneNumber === '') {
    problems.push({ field: 'phoneNumber', message: 'validation.phone_for_texts' })
  }
  return problems
}

// A name that the partner has stated may be longer than ours, or have one part. It must not stop other changes.
const nameProblems = (form: ProfileForm, before: Name): FieldError[] =>
  Object.entries(readForm(TypedName, form).errors).flatMap(([field, message]) =>
    form[field as keyof Name] === before[field as keyof Name] ? [] : [{ field, message }],
  )

/**
 * Returns whether the text message consent remains after the phone number was edited: never without a number; the first
 * form of consent is for one number, the second remains with any valid one.
 */
export function isSmsConsentValid(
  { before, after }: { before: string; after: string },
  config: Pick<PublicConfig, 'hasSmsOptInV2'>,
): boolean {
  if (after.trim() === '') return false
  return config.hasSmsOptInV2 ? phoneProblem(after) === null : after === before
}
