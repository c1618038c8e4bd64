import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { isTimeZone } from '../../platform/time.ts'
import { cardTypes, hostNames } from './names.ts'

export const CardType = z.enum(cardTypes)
export type CardType = z.infer<typeof CardType>

export const TierLevel = z.enum(['OptedOut', 'NonActivated', 'OptedIn', 'VIP'])
export type TierLevel = z.infer<typeof TierLevel>

export const CurrencyType = z.enum(['Dollar', 'Mile', 'Point', 'Credit'])
export type CurrencyType = z.infer<typeof CurrencyType>

export const EnrollmentType = z.enum(['direct', 'sso', 'none'])
export type EnrollmentType = z.infer<typeof EnrollmentType>

/** Audience of a pop-up: visitors, members, or everyone (the default). */
export const PopUpAudience = z.enum(['everyone', 'visitors', 'members'])
export type PopUpAudience = z.infer<typeof PopUpAudience>

const Meta = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  keywords: z.string().optional(),
})

const searchFilters = [
  'acclaimed',
  'benefitsFor',
  'features',
  'isNew',
  'mealsServed',
  'priceRange',
  'reservations',
  'sortBy',
] as const

const path = z.string().regex(/^\/[\w/-]*$/, 'must be a path like /search')

/** Earn rates by tier, in the smallest unit of the currency (miles, points or cents) per 100 dollars. */
const EarnRates = z.record(TierLevel, z.number().int().min(0).max(10_000))

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 18:30')

/** A bonus that members can activate: its conditions and its one-time amount. */
const Bonus = z.strictObject({
  code: z.string().regex(/^[\w-]{1,40}$/),
  description: z.string().min(1).max(160),
  /** In the smallest unit of the currency. */
  amount: z.number().int().positive(),
  /** Required number of rewarded transactions within `withinDays` days of activation. */
  dines: z.number().int().min(1).max(100).default(1),
  withinDays: z.number().int().min(1).max(366).default(60),
  /** Requires a different restaurant for each transaction. */
  distinctPlaces: z.boolean().default(false),
  /** Minimum amount of each transaction, in cents. */
  minimumCents: z.number().int().min(0).default(0),
  /**
   * Allowed weekdays (0 is Sunday) and times, in the restaurant's local time. An end before the start is after midnight,
   * and counts to the day on which the night began.
   */
  days: z.array(z.number().int().min(0).max(6)).min(1).default([0, 1, 2, 3, 4, 5, 6]),
  from: clock.default('00:00'),
  until: clock.default('23:59'),
  /** Only for members who joined within the last 90 days and have not earned yet. */
  newMembers: z.boolean().default(false),
  /** Not available by default: only injected for some members (`injectedBonuses`). */
  injectedOnly: z.boolean().default(false),
  startsOn: z.iso.date().default('2026-01-01'),
  endsOn: z.iso.date().optional(),
})
export type Bonus = z.output<typeof Bonus>

/** Shares of rewarded transactions, as integers in hundredths of a percent: 1250 is 12.5 %. */
const Settlement = z.strictObject({
  /** Fee of the restaurant on the rewarded part of the bill, in hundredths of a percent. */
  restaurantFee: z.number().int().min(0).max(5_000),
  /** Payment to the partner per 100 of its smallest units, in cents; 0 where the program itself pays the members. */
  centsPer100Units: z.number().int().min(0).max(1_000),
  /** The partner's share of the remaining fee, in hundredths of a percent. */
  partnerShare: z.number().int().min(0).max(10_000),
})

const InjectedBonus = z.strictObject({
  code: z.string().min(1),
  enrollmentSource: z.string().optional(),
  withinHours: z.number().int().positive().optional(),
  appOnly: z.boolean().default(false),
})

/** The most cards that a program can allow a member, and so the most that one form can have. */
export const mostCards = 50

/** Settings that only the server sees: secrets, settlement terms, and what says that a program is a sample. */
const serverSettings = {
  /**
   * Marks a sample program when it equals the program's code: production skips it unless SAMPLE_PROGRAMS names it. In
   * a copy under another code it has no effect; `true` marks any program.
   */
  sample: z.union([z.boolean(), z.string()]).optional(),
  /** What operators credit and debit a member alone within a day, in the smallest unit; a second one approves more. */
  adjustmentLimit: z.number().int().min(0).optional(),
  /** Fees of restaurants for rewarded transactions and the partner's share. */
  settlement: Settlement.optional(),
  /** Days in which restaurants pay an invoice; by default 30. */
  invoiceDays: z.number().int().min(0).max(120).optional(),
  /**
   * Fidel's program and the secret keys of its webhooks: each webhook has its own key, and any of them is accepted.
   */
  fidel: z
    .strictObject({ programId: z.string().min(1).max(100), secretKeys: z.array(z.string().min(8)).min(1) })
    .optional(),
  /** The partner's identity provider; `sample` is the one included with Dineback. */
  sso: z
    .strictObject({
      issuer: z.union([z.literal('sample'), z.url()]),
      /** Defaults to the program's code. */
      clientId: z.string().min(1).optional(),
      clientSecret: z.string().optional(),
    })
    .optional(),
}

/** The settings that every browser gets. One that nobody outside may read belongs to `serverSettings`. */
export const PublicSettings = z.strictObject({
  code: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/, 'must be 2 to 31 lower-case letters, digits and hyphens, a letter first')
    .refine((code) => !hostNames.includes(code), 'is the name of a host that Dineback needs itself'),
  name: z.string().min(1).max(60),
  programName: z.string().min(1).max(60),
  currencyName: z.string().min(1).max(30),
  /** Singular, when it is not the name without its last s. */
  currencyNameSingular: z.string().min(1).max(30).optional(),
  /**
   * Unit that dollar rewards are deducted from when they are not paid out: `gallon` makes amounts read `10¢ per
   * gallon`.
   */
  rewardPer: z.string().min(1).max(30).optional(),
  /** Inserted into messages as the program's product, e.g. "Fuel savings". */
  product: z.string().default(''),
  /**
   * IANA time zone of the days that belong to no restaurant: of joining, payments and statement credits, of the first
   * and last day of VIP and bonuses, and of the current year of rewards.
   */
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone like America/Chicago').default('America/New_York'),
  currencyType: CurrencyType.default('Mile'),
  enrollmentType: EnrollmentType.default('direct'),
  earnRates: EarnRates,
  /** Rewards are given per whole step of spending. Higher rates of a tier such as VIP are in `earnRates`. */
  earnStepCents: z.number().int().positive().default(1),
  /**
   * Former rates, each until a date in the restaurant's local time (inclusive): a transaction earns at the rates of
   * its date.
   */
  formerRates: z
    .array(
      z.strictObject({
        until: z.iso.date(),
        earnRates: EarnRates,
        earnStepCents: z.number().int().positive().optional(),
      }),
    )
    .default([]),
  /** A transaction below this amount earns nothing, in cents. */
  minimumSpendCents: z.number().int().min(0).default(0),
  /** Whether tip and tax earn rewards, when the card network reports their amounts. */
  countsTip: z.boolean().default(true),
  countsTax: z.boolean().default(true),
  /** Whether debit transactions with a PIN earn nothing. */
  excludesPinDebit: z.boolean().default(false),
  /** Days that a reward is deferred after its transaction was charged, up to 14. */
  deferDays: z.number().int().min(0).max(14).default(0),
  /** Maximum reward per transaction, in the smallest unit of the currency. */
  maxRewardPerMeal: z.number().int().positive().optional(),
  /** Payer of statement credits that cannot go to a card. */
  payoutBrand: z.string().min(1).max(40).optional(),
  /** Hours after linking from which a card earns. */
  linkActivationHours: z.number().int().min(0).max(72).default(0),
  /** Whether a reward requires the member's review; not for programs with statement credits. */
  awardsNeedReview: z.boolean().default(false),
  /** URL of the review page, when it is not the built-in form service. */
  reviewUrl: z.url({ protocol: /^https?$/ }).optional(),
  acclaimedEnabled: z.boolean().default(false),
  acclaimed2Enabled: z.boolean().default(false),
  cardTypesAccepted: z.array(CardType).min(1).default(['AMEX', 'DISC', 'MAST', 'VISA']),
  maximumCards: z.number().int().min(1).max(mostCards).default(12),
  cmsPreview: z.boolean().default(false),
  cmsRoute: path.default('/api/cms'),
  fullAddressRequired: z.boolean().default(false),
  hasAutoEnroll: z.boolean().default(false),
  hasFlexOffers: z.boolean().default(false),
  hasPartnerLoadedCards: z.boolean().default(false),
  hasPPN: z.boolean().default(true),
  /** Regular expression of the partner's member number. */
  partnerNumberPattern: z.string().default('^[A-Za-z0-9]{6,20}$'),
  hasSmsOptIn: z.boolean().default(false),
  hasSmsOptInV2: z.boolean().default(false),
  hasVIP: z.boolean().default(false),
  vipDinesRequired: z.number().int().positive().default(11),
  vipDollarsRequired: z.number().int().positive().optional(),
  openTableReservationsEnabled: z.boolean().default(false),
  homePage: z.enum(['Discover', 'HowItWorks']).default('HowItWorks'),
  hasDiscoverPage: z.boolean().default(false),
  hasReservationBonus: z.boolean().default(false),
  reservationBonus: z
    .strictObject({ amount: z.number().int().positive(), type: z.string(), condition: z.string() })
    .optional(),
  hasPWAInstallBanner: z.boolean().default(false),
  generalModalType: z.string().optional(),
  generalModalUrl: path.optional(),
  routeMeta: z.record(z.string(), Meta).default({}),
  minimumAppVersion: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .optional(),
  appAnnouncementModal: z
    .strictObject({
      title: z.string(),
      body: z.string(),
      image: z.string().optional(),
      linkText: z.string().optional(),
      linkUrl: z.string().optional(),
      audience: PopUpAudience.optional(),
    })
    .optional(),
  customerSupport: z.strictObject({
    phone: z.strictObject({ href: z.string().regex(/^tel:[+\d-]+$/), formatted: z.string() }),
    email: z.strictObject({ href: z.string(), display: z.string() }),
  }),
  shortCode: z.string().optional(),
  showEarnRate: z.boolean().default(true),
  /** Code of the program at the form service; defaults to `code`. Must be unique. */
  formServiceCode: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'must be up to 60 letters, digits and hyphens')
    .optional(),
  copyStates: z.array(z.string()).default([]),
  adTagPrefix: z.string().optional(),
  merchantFavorites: z.boolean().default(false),
  showNetworkLogo: z.boolean().default(true),
  hideEmailOptIn: z.boolean().default(false),
  ssoModal: z.boolean().default(false),
  /** Last day of the modal; without it, the modal stays until it is disabled. */
  ssoModalUntil: z.iso.date().optional(),
  bonuses: z.array(Bonus).default([]),
  injectedBonuses: z.array(InjectedBonus).default([]),
  /** Selects the messages for programs with different reward terms. */
  statusCopy: z.enum(['plain', 'translated', 'fuel']).default('plain'),
  statementCreditFromCents: z.number().int().positive().optional(),
  appStores: z.strictObject({ ios: z.url().optional(), android: z.url().optional() }).default({}),
  brandLogos: z.array(z.strictObject({ name: z.string(), url: z.url().optional() })).default([]),
  filters: z.array(z.enum(searchFilters)).default([...searchFilters]),
  extraPaths: z.array(path).default([]),
  /** Sentence for the gallery of sample programs. */
  tagline: z.string().default(''),
})

/** `program.json`: everything that differs between programs, with defaults. */
export const ProgramConfig = PublicSettings.extend(serverSettings)
  .refine((c) => c.enrollmentType !== 'sso' || c.sso, {
    path: ['sso'],
    message: 'is required when enrollmentType is sso',
  })
  .refine((c) => !c.hasReservationBonus || c.reservationBonus, {
    path: ['reservationBonus'],
    message: 'is required when hasReservationBonus is true',
  })
export type ProgramConfig = z.output<typeof ProgramConfig>

/** The configuration sent to browsers. */
export type PublicConfig = z.output<typeof PublicSettings>

export const FeatureFlags = z.object({
  authFlags: z.object({
    loginMaintenance: z.boolean(),
    joinMaintenance: z.boolean(),
    /** Everything except sign-in and enrollment. */
    siteMaintenance: z.boolean(),
    botCheck: z.boolean(),
  }),
  filters: z.record(z.string(), z.boolean()),
  partnerFeatureFlags: z.record(z.string(), z.unknown()),
})
export type FeatureFlags = z.infer<typeof FeatureFlags>

export const getPartnerConfig = defineSchemas({
  maintenance: 'open',
  summary: 'Returns the public configuration of this program',
  reply: z.looseObject({ code: z.string(), name: z.string() }),
})

export const getFeatureFlags = defineSchemas({
  maintenance: 'open',
  summary: 'Returns the feature flags: maintenance, visible search filters, overrides of the configuration',
  reply: FeatureFlags,
})
