import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { publicIdPattern } from '../../platform/public-id.ts'
import { TierLevel } from '../../programs/partners/schemas.ts'

export const MemberType = z.enum(['ClosedAccountMember', 'EnrolledCardMember', 'NonCardMember'])
export type MemberType = z.infer<typeof MemberType>

export const Address = z.object({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
})

export const DiningProgress = z.object({
  status: z.enum(['Building', 'QualifiedAndBuilding', 'Qualified']),
  remainingDines: z.number().int().nullable(),
  dinesRequired: z.number().int().nullable(),
  remainingDollars: z.number().nullable(),
  dollarsRequired: z.number().nullable(),
  /** Rewards of this calendar year: dollars for Dollar and Credit programs, whole miles or points otherwise. */
  ytdMilesOrDollars: z.number(),
  /** The day on which VIP begins (UTC), once it is reached; null before that and after it has started. */
  vipBegins: z.iso.date().nullable(),
})
export type DiningProgress = z.infer<typeof DiningProgress>

export const ActiveBonus = z.object({
  code: z.string(),
  bonusStatus: z.enum(['Eligible', 'Enrolled', 'Qualified']),
  createDateUtc: z.string(),
  isNewMemberBonus: z.boolean(),
  description: z.string(),
  memberIsEligibleForNMB: z.boolean(),
})

export type ActiveBonus = z.infer<typeof ActiveBonus>

export const Member = z.object({
  publicId: z.string(),
  familyId: z.string(),
  referralCode: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** Another account is the one that this address identifies: the partner states it for two of its customers. */
  emailIsShared: z.boolean(),
  emailOptIn: z.boolean(),
  phoneNumber: z.string(),
  smsOptIn: z.boolean(),
  address: Address,
  partnerNumber: z.string().nullable(),
  tierLevel: TierLevel,
  /** The last day of the tier, where the program has given it until a day; null where it was earned. */
  tierUntil: z.iso.date().nullable(),
  memberType: MemberType,
  hasWebProfile: z.boolean(),
  active: z.boolean(),
  enrollmentSource: z.string().nullable(),
  joinDate: z.iso.date(),
  /** True when the member must enter a new email address first. */
  mustFixCredentials: z.boolean(),
  diningProgress: DiningProgress,
  activeBonuses: z.array(ActiveBonus),
})
export type Member = z.infer<typeof Member>

export const InterfaceType = z.enum(['known', 'sso', 'direct'])

/** The data that anyone with a public id can read: no last name and no address. */
export const KnownMember = z.object({
  publicId: z.string(),
  firstName: z.string(),
  tierLevel: TierLevel,
  memberType: MemberType,
  hasWebProfile: z.boolean(),
  active: z.boolean(),
  interfaceType: InterfaceType,
  /** A bearer token for acting on this member, valid for 15 minutes. */
  token: z.string(),
})
export type KnownMember = z.infer<typeof KnownMember>

export const getMember = defineSchemas({
  summary: 'Returns the signed-in member',
  reply: Member,
})

/** The public id in the address of an invitation. */
export const PublicId = z.string().regex(publicIdPattern)

export const getKnownMember = defineSchemas({
  summary: 'Returns the reduced record of a known member',
  params: z.object({ publicId: PublicId }),
  reply: KnownMember,
  errors: { memberNotFound: 404 },
  perMinute: 30,
})

const Channel = z.enum(['email', 'sms'])
const Topic = z.enum(['offers'])

export const ConsentCenter = z.object({
  choices: z.array(z.object({ channel: Channel, topic: Topic, granted: z.boolean(), wording: z.string() })),
  /** Every consent given or withdrawn, latest first, with exact text, version, time and source. */
  history: z.array(
    z.object({
      channel: z.enum(['email', 'sms', 'card', 'terms']),
      topic: z.string(),
      granted: z.boolean(),
      wording: z.string(),
      version: z.string(),
      at: z.iso.datetime(),
      source: z.string(),
    }),
  ),
})
export type ConsentCenter = z.infer<typeof ConsentCenter>

export const getConsents = defineSchemas({
  summary: 'Returns the consents of the member and their history',
  reply: ConsentCenter,
})

export const chooseConsent = defineSchemas({
  summary: 'Gives or withdraws a consent; also updates the tier that depends on it',
  body: z.strictObject({ channel: Channel, topic: Topic, granted: z.boolean() }),
  reply: ConsentCenter,
  errors: { notOffered: 404, phoneNeeded: 409, tooManyChanges: 429 },
  perMinute: 30,
})
