import { countAddressAttempt } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx, violatedConstraint } from '../../platform/database/db.ts'
import { emailPattern, toAsciiEmail } from '../../platform/email-address.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { phoneDigits } from '../../platform/phone.ts'
import { DAY } from '../../platform/time.ts'
import { plainPartnerNumber } from '../../programs/partners/rules.ts'
import { queueEmail } from '../email/service.ts'
import * as members from '../members/service.ts'
import { hashPassword, type OpenedSession, passwordProblems, signInAs } from '../session/service.ts'
import { queueVerification } from '../verification/service.ts'
import { joinFields, joinProblems, smsOptInOf } from './rules.ts'
import type { JoinRequest, Prospect } from './schemas.ts'
import { saveProspect } from './store.ts'
import { accountOpenedEmail, welcomeEmail } from './welcome-email.ts'

/** Accounts that are opened from one network address within a day. */
export const maxJoinsPerAddress = 300
/** Addresses that are stored for one network address within a day. */
export const maxProspectsPerAddress = 50

export { addSampleMembers, sampleEmail, samplePassword } from './sample-members.ts'

const takenBy: Record<string, { field: string; message: string }> = {
  members_email_once: { field: 'email', message: 'join.email_taken' },
  members_partner_number_once: { field: 'partnerNumber', message: 'join.partner_number_taken' },
}

export interface Joined {
  session: OpenedSession
  member: members.MemberRow
}

export interface Joining {
  zipIsKnown: (zip: string) => boolean
  device: string
  origin: string
  /** Key of the hash of the code that verifies the address. */
  lockKey: Buffer
  /** Runs in the transaction that creates the account: what the person owes from an earlier one is carried over. */
  onJoined: (tx: Tx, ctx: Ctx, memberId: number) => Promise<unknown>
}

/**
 * Step one of joining: creates the member, credentials, consents and the signed-in session in one transaction. Throws
 * `notOffered`, `tooManyJoins`, `signInFirst` and `alreadyJoined` (sso), or field errors.
 */
export async function joinProgram(
  ctx: Ctx,
  typed: JoinRequest,
  { zipIsKnown, device, origin, lockKey, onJoined }: Joining,
): Promise<Joined> {
  const { config } = ctx.program
  if (config.enrollmentType === 'none') throw new ApiError('notOffered')
  const form = { ...typed, partnerNumber: plainPartnerNumber(typed.partnerNumber, config) }
  const problems = joinProblems(form, config)
  if (!zipIsKnown(form.zipCode)) problems.push({ field: 'zipCode', message: 'validation.zip' })
  const has = joinFields(config)
  if (has.password && form.password !== '') {
    const personal = [form.firstName, form.lastName, form.email, config.name, config.programName]
    const found = passwordProblems(form.password, {
      personal,
      ...(has.partnerNumber && { partnerNumber: form.partnerNumber }),
    })
    problems.push(...found.map((message) => ({ field: 'password', message })))
  }
  if (problems.length > 0) throw new ValidationError(problems)
  // Counted before the work. Whoever joins again and again holds tables and sends emails in as many names.
  const from = { secret: ctx.returningKey, about: 'joins', partnerId: ctx.partnerId, address: ctx.address }
  const joins = await countAddressAttempt(ctx.db, from, { maxAttempts: maxJoinsPerAddress, windowMs: DAY })
  if (joins > maxJoinsPerAddress) throw new ApiError('tooManyJoins')
  const passwordHash = has.password ? await hashPassword(form.password, ctx.address) : null
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const added = await (config.enrollmentType === 'sso' ? completeMember(tx, ctx, form) : addMember(tx, ctx, form))
      const identifiers = { email: added.email, partnerNumber: added.partner_number }
      const hasReturned = await members.isFormerMember(tx, ctx.returningKey, identifiers)
      const member = hasReturned ? await members.changeMember(tx, added.id, { has_returned: true }) : added
      if (passwordHash) await members.setCredentials(tx, member.id, passwordHash)
      await recordConsents(tx, ctx, form, member.id)
      await audit(tx, ctx, { action: 'member.joined', memberId: member.id })
      await onJoined(tx, ctx, member.id)
      await welcome(tx, ctx, member, origin)
      // The address of a bank's customer is verified by the bank.
      if (config.enrollmentType === 'direct')
        await queueVerification(tx, ctx, { origin: () => origin, lockKey }, member)
      const beganWith = config.enrollmentType === 'sso' ? 'sso' : 'join'
      const session = await signInAs(tx, ctx, { memberId: member.id, remembered: false, beganWith, device })
      return { member, session }
    })
  } catch (error) {
    const taken = takenBy[violatedConstraint(error) ?? '']
    if (taken) throw new ValidationError([taken])
    throw error
  }
}

/** Sends the welcome email with offers and tips after consent; otherwise an email that only confirms the account. */
async function welcome(tx: Tx, ctx: Ctx, member: members.MemberRow, origin: string): Promise<void> {
  const consentId = await members.findConsent(tx, member.id, { channel: 'email', topic: 'offers' })
  const who = { firstName: member.first_name, origin }
  const to = { memberId: member.id, recipient: member.email, about: String(member.id) }
  if (consentId === null) {
    return void (await queueEmail(tx, ctx, { ...to, topic: 'account.opened', content: accountOpenedEmail(ctx, who) }))
  }
  const content = welcomeEmail(ctx, who)
  const message = { ...to, topic: 'offers.welcome' }
  await queueEmail(tx, ctx, { ...message, content, consentId })
}

const isMember = (ctx: Ctx): ctx is MemberCtx => ctx.actor.memberId !== null

// The identity provider has identified the member; the form adds the missing fields.
async function completeMember(tx: Tx, ctx: Ctx, form: JoinRequest): Promise<members.MemberRow> {
  if (!isMember(ctx)) throw new ApiError('signInFirst')
  const member = await members.lockOwnMember(tx, ctx)
  if (member.member_type !== 'NonCardMember') throw new ApiError('alreadyJoined')
  const {
    first_name: _first,
    last_name: _last,
    email: _email,
    marketing: _marketing,
    ...columns
  } = toColumns(ctx, form)
  return members.changeMember(tx, member.id, columns)
}

async function addMember(tx: Tx, ctx: Ctx, form: JoinRequest): Promise<members.MemberRow> {
  return members.createMember(tx, toColumns(ctx, form))
}

function toColumns(ctx: Ctx, form: JoinRequest) {
  const { config } = ctx.program
  const has = joinFields(config)
  const phone = has.phone ? phoneDigits(form.phoneNumber) || null : null
  const { utmTerm, utmMedium, utmCampaign, utmSource, utmContent, referrer, source } = form
  return {
    email: form.email,
    first_name: form.firstName,
    last_name: form.lastName,
    zip_code: form.zipCode,
    ...(has.address && { address1: form.address1, address2: form.address2, city: form.city, state: form.state }),
    partner_number: has.partnerNumber ? form.partnerNumber : null,
    phone_number: phone,
    sms_opt_in: phone !== null && smsOptInOf(form, config),
    email_opt_in: has.emailOptIn && form.emailOptIn,
    tier_level: has.emailOptIn && form.emailOptIn ? 'OptedIn' : 'OptedOut',
    enrollment_source: source ?? null,
    marketing: { utmTerm, utmMedium, utmCampaign, utmSource, utmContent, referrer, source },
  }
}

async function recordConsents(tx: Tx, ctx: Ctx, form: JoinRequest, memberId: number): Promise<void> {
  const { config } = ctx.program
  const has = joinFields(config)
  const consent = (channel: 'email' | 'sms' | 'terms', topic: string, granted: boolean, key: string) =>
    members.recordConsent(tx, { memberId, channel, topic, granted, consentText: ctx.t(key), source: 'join' })
  await consent('terms', 'program', true, 'join.terms')
  if (has.emailOptIn) await consent('email', 'offers', form.emailOptIn, 'join.email_opt_in')
  if (has.phone && form.phoneNumber !== '') {
    const key = has.smsConsent ? 'join.sms_consent' : 'join.phone_hint'
    await consent('sms', 'offers', smsOptInOf(form, config), key)
  }
}

/**
 * Returns true when no member has this email. The partner number cannot be derived from it, so `usePpn` has no effect.
 */
export async function emailIsFree(ctx: Ctx, email: string): Promise<boolean> {
  if (!emailPattern.test(toAsciiEmail(email))) return false
  return (await members.findMemberByEmail(ctx.db, email)) === undefined
}

/**
 * Stores an email address with its marketing parameters; the same address again updates it. Beyond the limit of a
 * network address it is not stored: the visitor who has typed it joins as everybody does.
 */
export async function storeProspect(ctx: Ctx, { email, ...marketing }: Prospect): Promise<void> {
  const from = { secret: ctx.returningKey, about: 'prospects', partnerId: ctx.partnerId, address: ctx.address }
  const count = await countAddressAttempt(ctx.db, from, { maxAttempts: maxProspectsPerAddress, windowMs: DAY })
  if (count > maxProspectsPerAddress) return
  await saveProspect(ctx.db, email, marketing)
}

export { deleteProspect, purgeProspects } from './store.ts'
