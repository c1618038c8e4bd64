import { audit } from '../../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { ValidationError } from '../../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../../platform/http/context.ts'
import { phoneDigits } from '../../../platform/phone.ts'
import { consentTextKey } from '../consent-topics.ts'
import { recordConsent, rejectBeyondChanges } from '../consents.ts'
import { lockOwnMember } from '../own-member.ts'
import * as store from '../store.ts'
import type { ProfileForm } from './forms.ts'
import { profileFields, profileProblems } from './rules.ts'
import type { Before } from './schemas.ts'

/**
 * Saves the profile of the signed-in member: the row, changed consents with their texts, and the audit entry, in one
 * transaction. Throws `tooManyChanges`, and field errors for what the program requires. Names of a bank's customers come from the bank and
 * are not changed. A field that is as it was `before` keeps what another page has saved since. `also` runs in the same
 * transaction.
 */
export async function updateProfile(
  ctx: MemberCtx,
  sent: ProfileForm,
  {
    zipIsKnown,
    before: shown,
    also,
  }: {
    zipIsKnown: (zip: string) => boolean
    before?: Before | undefined
    also?: ((tx: Tx) => Promise<void>) | undefined
  },
): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockOwnMember(tx, ctx)
    const form = shown ? mergeUnchanged(sent, shown, before) : sent
    const stored = { firstName: before.first_name, lastName: before.last_name, phoneNumber: before.phone_number ?? '' }
    const problems = profileProblems(form, ctx.program.config, stored)
    if (!zipIsKnown(form.zipCode)) problems.push({ field: 'zipCode', message: 'validation.zip' })
    if (problems.length > 0) throw new ValidationError(problems)
    await rejectBeyondChanges(tx, { action: 'member.changed', memberId })
    const after = await store.changeMember(tx, memberId, toColumns(ctx, before, form))
    await recordConsentChanges(tx, ctx, before, after)
    const changed = (Object.keys(after) as (keyof store.MemberRow)[]).filter(
      (column) => column !== 'updated_at' && JSON.stringify(after[column]) !== JSON.stringify(before[column]),
    )
    await audit(tx, ctx, { action: 'member.changed', memberId, detail: { changed } })
    await also?.(tx)
  })
}

/** Returns the form with the stored values of the fields that are as the page has shown them. */
function mergeUnchanged(form: ProfileForm, shown: Before, row: store.MemberRow): ProfileForm {
  const stored: ProfileForm = {
    firstName: row.first_name,
    lastName: row.last_name,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    state: row.state,
    zipCode: row.zip_code,
    phoneNumber: row.phone_number ?? '',
    smsOptIn: row.sms_opt_in,
    emailOptIn: row.email_opt_in,
  }
  const isUnchanged = (field: keyof ProfileForm) =>
    field === 'phoneNumber'
      ? phoneDigits(form[field]) === phoneDigits(shown[field])
      : String(form[field]).trim() === String(shown[field]).trim()
  const kept = (Object.keys(stored) as (keyof ProfileForm)[]).filter(isUnchanged)
  return { ...form, ...Object.fromEntries(kept.map((field) => [field, stored[field]])) }
}

function toColumns(ctx: Ctx, before: store.MemberRow, form: ProfileForm) {
  const has = profileFields(ctx.program.config)
  const phone = phoneDigits(form.phoneNumber) || null
  const emailFollows = before.tier_level === 'OptedIn' || before.tier_level === 'OptedOut'
  return {
    ...(has.namesEditable && { first_name: form.firstName, last_name: form.lastName }),
    address1: form.address1,
    address2: form.address2,
    city: form.city,
    state: form.state,
    zip_code: form.zipCode,
    ...(has.phone && { phone_number: phone, sms_opt_in: phone !== null && form.smsOptIn }),
    ...(has.emailOptIn && {
      email_opt_in: form.emailOptIn,
      ...(emailFollows && { tier_level: form.emailOptIn ? 'OptedIn' : 'OptedOut' }),
    }),
  }
}

async function recordConsentChanges(tx: Tx, ctx: Ctx, before: store.MemberRow, after: store.MemberRow): Promise<void> {
  const source = ctx.actor.operator ? 'support' : 'profile'
  const changes = [
    { channel: 'email', was: before.email_opt_in, is: after.email_opt_in },
    { channel: 'sms', was: before.sms_opt_in, is: after.sms_opt_in },
  ] as const
  for (const { channel, was, is } of changes) {
    if (was === is) continue
    const consentText = ctx.t(consentTextKey(channel, 'offers'))
    await recordConsent(tx, { memberId: after.id, channel, topic: 'offers', granted: is, consentText, source })
  }
}
