import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { cardTypes, hostNames } from './names.ts'

export const CardType = z.enum(cardTypes)
export type CardType = z.infer<typeof CardType>

export const TierLevel = z.enum(['OptedOut', 'NonActivated', 'OptedIn', 'VIP'])
export type TierLevel = z.infer<typeof TierLevel>

export const CurrencyType = z.enum(['Dollar', 'Mile', 'Point', 'Credit'])
export type CurrencyType = z.infer<typeof CurrencyType>

export const EnrollmentType = z.enum(['direct', 'sso', 'none'])
export type EnrollmentType = z.infer<typeof EnrollmentType>

/** Whom a pop-up concerns: those who are not signed in, those who are, or both (the default). */
export const PopUpAudience = z.enum(['everyone', 'visitors', 'members'])
export type PopUpAudience = z.infer<typeof PopUpAudience>

const Meta = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  keywords: z.string().optional(),
})

const path = z.string().regex(/^\/[\w/-]*$/, 'must be a path like /search')

/** What a dollar earns, by tier, in the smallest unit of the currency (miles, points or cents) per 100 dollars. */
const EarnRates = z.record(TierLevel, z.number().int().min(0).max(10_000))

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 18:30')

/** A bonus that members can activate: what has to be eaten, and what is given for it, once. */
const Bonus = z.strictObject({
  code: z.string().regex(/^[\w-]{1,40}$/),
  description: z.string().min(1).max(160),
  /** In the smallest unit of the currency. */
  amount: z.number().int().positive(),
  /** So many rewarded meals, within so many days after it was activated. */
  dines: z.number().int().min(1).max(100).default(1),
  withinDays: z.number().int().min(1).max(366).default(60),
  /** Each at another restaurant. */
  distinctPlaces: z.boolean().default(false),
  /** Each of at least so much, in cents. */
  minimumCents: z.number().int().min(0).default(0),
  /** On these weekdays (0 is Sunday) and between these times, by the restaurant's clock. */
  days: z.array(z.number().int().min(0).max(6)).min(1).default([0, 1, 2, 3, 4, 5, 6]),
  from: clock.default('00:00'),
  until: clock.default('23:59'),
  /** Only for members who joined within the last 90 days and have not earned anything yet. */
  newMembers: z.boolean().default(false),
  /** Nobody has it by themselves: it is injected for some (`injectedBonuses`). */
  injectedOnly: z.boolean().default(false),
  startsOn: z.iso.date().default('2026-01-01'),
  endsOn: z.iso.date().optional(),
})
export type Bonus = z.output<typeof Bonus>

/** Shares of rewarded meals. Hundredths of a percent are whole numbers: 1250 is 12.5 %. */
const Settlement = z.strictObject({
  /** What the restaurant pays, of the part of the bill that counts, in hundredths of a percent. */
  restaurantFee: z.number().int().min(0).max(5_000),
  /** What the partner is paid for 100 of its smallest units, in cents; 0 where the program itself pays the members. */
  centsPer100Units: z.number().int().min(0).max(1_000),
  /** The partner's part of what then remains of the fee, in hundredths of a percent. */
  partnerShare: z.number().int().min(0).max(10_000),
})

const InjectedBonus = z.strictObject({
  code: z.string().min(1),
  enrollmentSource: z.string().optional(),
  withinHours: z.number().int().positive().optional(),
  appOnly: z.boolean().default(false),
})

/** `program.json`: everything that makes one partner's program differ from another's, with the defaults. */
export const ProgramConfig = z
  .strictObject({
    code: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,30}$/, 'must be 2 to 31 lower-case letters, digits and hyphens, a letter first')
      .refine((code) => !hostNames.includes(code), 'is the name of a host that Dineback needs itself'),
    /**
     * Its own code marks a program that shows what there is: production leaves it out unless SAMPLE_PROGRAMS names it.
     * In a copy under another code it means nothing; `true` marks any program.
     */
    sample: z.union([z.boolean(), z.string()]).optional(),
    name: z.string().min(1).max(60),
    programName: z.string().min(1).max(60),
    currencyName: z.string().min(1).max(30),
    /** One of them, where it is not the name without its last s. */
    currencyNameSingular: z.string().min(1).max(30).optional(),
    /** What dollars are taken off, where they are not paid out: `gallon` makes amounts read `10¢ per gallon`. */
    rewardPer: z.string().min(1).max(30).optional(),
    /** Puts the program's product into copy, e.g. "Fuel savings". */
    product: z.string().default(''),
    currencyType: CurrencyType.default('Mile'),
    enrollmentType: EnrollmentType.default('direct'),
    earnRates: EarnRates,
    /** Extra share of the rate for a VIP etc. is in `earnRates`; a spend step makes rewards come per whole step. */
    earnStepCents: z.number().int().positive().default(1),
    /** Rates that held before, each until a day on the wall of the restaurant (inclusive): a meal earns at the rates of its day. */
    formerRates: z
      .array(
        z.strictObject({
          until: z.iso.date(),
          earnRates: EarnRates,
          earnStepCents: z.number().int().positive().optional(),
        }),
      )
      .default([]),
    /** A meal below this earns nothing, in cents. */
    minimumSpendCents: z.number().int().min(0).default(0),
    /** Whether tip and tax count, as far as the card network says how much they were. */
    countsTip: z.boolean().default(true),
    countsTax: z.boolean().default(true),
    /** Whether debit cards used with a PIN earn nothing. */
    excludesPinDebit: z.boolean().default(false),
    /** So many days a reward is held back after its meal was charged, up to two weeks. */
    deferDays: z.number().int().min(0).max(14).default(0),
    /** The most that one meal earns, in the smallest unit of the currency. */
    maxRewardPerMeal: z.number().int().positive().optional(),
    /** What restaurants pay for rewarded meals, and what of it the partner gets. */
    settlement: Settlement.optional(),
    /** Who pays statement credits out that cannot go to a card. */
    payoutBrand: z.string().min(1).max(40).optional(),
    /** Fidel's program, and the secret keys of its webhooks: each webhook has its own, and any of them will do. */
    fidel: z
      .strictObject({ programId: z.string().min(1).max(100), secretKeys: z.array(z.string().min(8)).min(1) })
      .optional(),
    /** A card earns from this many hours after it was linked. */
    linkActivationHours: z.number().int().min(0).max(72).default(0),
    /** Whether a reward waits until the member has reviewed the meal; not for programs that send credits. */
    awardsNeedReview: z.boolean().default(false),
    /** The page on which a meal is reviewed, when it is not our own form service. */
    reviewUrl: z.url({ protocol: /^https?$/ }).optional(),
    acclaimedEnabled: z.boolean().default(false),
    acclaimed2Enabled: z.boolean().default(false),
    cardTypesAccepted: z.array(CardType).min(1).default(['AMEX', 'DISC', 'MAST', 'VISA']),
    maximumCards: z.number().int().min(1).max(50).default(12),
    cmsPreview: z.boolean().default(false),
    cmsRoute: path.default('/api/cms'),
    fullAddressRequired: z.boolean().default(false),
    hasAutoEnroll: z.boolean().default(false),
    hasFlexOffers: z.boolean().default(false),
    hasPartnerLoadedCards: z.boolean().default(false),
    hasPPN: z.boolean().default(true),
    /** The shape of the partner's own member number. */
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
    /** What the form service knows the program by, the code by default. No two programs may share it. */
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
    /** The last day of the modal; without it, it stays until it is switched off. */
    ssoModalUntil: z.iso.date().optional(),
    bonuses: z.array(Bonus).default([]),
    injectedBonuses: z.array(InjectedBonus).default([]),
    /** Names the set of words used where a program speaks in another way of its rewards. */
    statusCopy: z.enum(['plain', 'translated', 'fuel']).default('plain'),
    statementCreditFromCents: z.number().int().positive().optional(),
    appStores: z.strictObject({ ios: z.url().optional(), android: z.url().optional() }).default({}),
    brandLogos: z.array(z.strictObject({ name: z.string(), url: z.url().optional() })).default([]),
    filters: z
      .array(
        z.enum([
          'acclaimed',
          'benefitsFor',
          'features',
          'isNew',
          'mealsServed',
          'priceRange',
          'reservations',
          'sortBy',
        ]),
      )
      .default([
        'acclaimed',
        'benefitsFor',
        'features',
        'isNew',
        'mealsServed',
        'priceRange',
        'reservations',
        'sortBy',
      ]),
    extraPaths: z.array(path).default([]),
    /** The partner's own identity provider; `sample` is the one that comes with Dineback. */
    sso: z
      .strictObject({
        issuer: z.union([z.literal('sample'), z.url()]),
        /** The code of the program by default. */
        clientId: z.string().min(1).optional(),
        clientSecret: z.string().optional(),
      })
      .optional(),
    /** Sentence for the gallery of sample programs. */
    tagline: z.string().default(''),
  })
  .refine((c) => c.enrollmentType !== 'sso' || c.sso, {
    path: ['sso'],
    message: 'is required when enrollmentType is sso',
  })
  .refine((c) => !c.hasReservationBonus || c.reservationBonus, {
    path: ['reservationBonus'],
    message: 'is required when hasReservationBonus is true',
  })
export type ProgramConfig = z.output<typeof ProgramConfig>

/** What the browser is told; secrets and what partners settle stay behind. */
export type PublicConfig = Omit<ProgramConfig, 'sample' | 'sso' | 'settlement' | 'fidel'>

export const FeatureFlags = z.object({
  authFlags: z.object({
    loginMaintenance: z.boolean(),
    joinMaintenance: z.boolean(),
    /** Everything but signing in and joining. */
    siteMaintenance: z.boolean(),
    botCheck: z.boolean(),
  }),
  filters: z.record(z.string(), z.boolean()),
  partnerFeatureFlags: z.record(z.string(), z.unknown()),
})
export type FeatureFlags = z.infer<typeof FeatureFlags>

export const getPartnerConfig = defineCall({
  id: 'getPartnerConfig',
  method: 'GET',
  path: '/api/PartnerConfig',
  access: 'anyone',
  summary: 'The configuration of this program as the browser may know it',
  reply: z.looseObject({ code: z.string(), name: z.string() }),
})

export const getFeatureFlags = defineCall({
  id: 'getFeatureFlags',
  method: 'GET',
  path: '/api/feature-flags',
  access: 'anyone',
  summary: 'Run-time switches: maintenance, visible search filters, overrides of the configuration',
  reply: FeatureFlags,
})
