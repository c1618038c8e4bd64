import { expect, test } from 'vitest'
import type { z } from 'zod'
import { tierNeeded } from '../../src/dining/merchants/rules.ts'
import { Merchant, SearchRequest } from '../../src/dining/merchants/schemas.ts'
import { join } from '../../src/identity/enrollment/schemas.ts'
import {
  ActiveBonus,
  Address,
  InterfaceType,
  KnownMember,
  Member,
  MemberType,
} from '../../src/identity/members/schemas.ts'
import { defaultDinesRequired, goalYear, spendingOf, visitsOf } from '../../src/identity/members/vip/rules.ts'
import type { ProgramConfig } from '../../src/programs/partners/contract.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { TierLevel } from '../../src/programs/partners/schemas.ts'
import { defaultPoint } from '../../src/programs/places/rules.ts'
import {
  AddCardForm,
  CardRegistration,
  linkCards,
  MemberCard,
  NewCard,
  PartnerCard,
} from '../../src/rewards/cards/schemas.ts'
import { AwardStatus, TransactionTypeCode } from '../../src/rewards/earning/schemas.ts'
import { RedemptionStatus } from '../../src/rewards/payouts/schemas.ts'

const fields = (schema: z.ZodObject) => Object.keys(schema.shape)
const programs = loadPrograms('programs')
const config = (code: string) => (programs.get(code) as { config: ProgramConfig }).config

test('DATA-001 DATA-002 DATA-005 DATA-008 the member has the fields that the contract names', () => {
  expect(fields(Member)).toEqual(
    expect.arrayContaining([
      'publicId',
      'familyId',
      'firstName',
      'lastName',
      'email',
      'emailOptIn',
      'phoneNumber',
      'smsOptIn',
      'hasWebProfile',
      'active',
      'enrollmentSource',
      'joinDate',
      'activeBonuses',
      'diningProgress',
    ]),
  )
  expect(fields(Address)).toEqual(['address1', 'address2', 'city', 'state', 'zipCode'])
  expect(fields(ActiveBonus)).toEqual([
    'code',
    'bonusStatus',
    'createDateUtc',
    'isNewMemberBonus',
    'description',
    'memberIsEligibleForNMB',
  ])
})

test('DATA-003 DATA-004 DATA-009 DATA-028 tiers, kinds of members and identification states are closed lists', () => {
  expect(TierLevel.options).toEqual(['OptedOut', 'NonActivated', 'OptedIn', 'VIP'])
  expect(MemberType.options).toEqual(['ClosedAccountMember', 'EnrolledCardMember', 'NonCardMember'])
  expect(InterfaceType.options).toEqual(['known', 'sso', 'direct'])
  expect(fields(KnownMember)).toContain('interfaceType')
})

test('DATA-010 DATA-011 DATA-012 DATA-013 a restaurant has the fields that the contract names', () => {
  expect(fields(Merchant)).toEqual(
    expect.arrayContaining([
      'id',
      'name',
      'images',
      'details',
      'location',
      'distance',
      'origin',
      'acclaimedLevel',
      'benefitAvailability',
      'reservationProviders',
    ]),
  )
  expect(fields(Merchant.shape.details)).toEqual(['rating', 'priceRange', 'cuisines', 'highlight'])
  expect(fields(Merchant.shape.details.shape.highlight)).toEqual(['comingSoon', 'leavingSoon', 'new', 'acclaimed'])
})

test('DATA-015 DATA-016 DATA-030 cards, the request that links them and its response have the fields that the contract names', () => {
  const card = ['id', 'cardType', 'description', 'lastFour', 'partnerCardId']
  expect(fields(MemberCard)).toEqual([...card, 'linkedAt', 'earnsFrom', 'expires'])
  expect(fields(AddCardForm)).toEqual(['creditCards', 'directFileFeedOptIn', 'moveHere', 'gRecaptchaResponse'])
  const [typed, chosen] = NewCard.options
  expect(fields(typed)).toEqual(['encryptedCardNumber', 'lastFour', 'cardType'])
  expect(fields(chosen)).toEqual(['cardId', 'lastFour', 'cardType'])
  expect(fields(CardRegistration.shape.memberCard)).toEqual(card)
  expect(fields(CardRegistration)).toEqual(['memberCard', 'error'])
  expect(fields(linkCards.reply)).toEqual(['cardRegistration'])
})

test('DATA-032 API-028 a partner-loaded card has the fields that the contract names', () => {
  expect(fields(PartnerCard)).toEqual(['cardId', 'cardType', 'description', 'lastFour', 'partnerCardId'])
})

test('DATA-018 DATA-019 DATA-020 statuses and source codes are closed lists', () => {
  expect(AwardStatus.options).toEqual(['Awarded', 'Pending', 'Forfeit', 'Paid', 'Deferred'])
  expect(TransactionTypeCode.options).toEqual(['M', 'J', '+', 'A', 'B', 'S'])
  expect(RedemptionStatus.options).toEqual(['pending', 'pending_received', 'completed', 'rejected', 'error'])
})

test('DATA-029 DATA-031 TRACK-001 TRACK-006 the join form and the search request have the fields that the contract names', () => {
  expect(fields(join.body as unknown as z.ZodObject)).toEqual(
    expect.arrayContaining([
      'email',
      'password',
      'passwordConfirm',
      'phoneNumber',
      'smsOptIn',
      'smsOptInV2',
      'utmTerm',
      'utmMedium',
      'utmCampaign',
      'utmSource',
      'utmContent',
      'referrer',
      'source',
    ]),
  )
  expect(fields(SearchRequest)).toEqual(
    expect.arrayContaining([
      'campaignCode',
      'location',
      'acclaimed',
      'benefitsFor',
      'features',
      'isNew',
      'mealsServed',
      'pageNo',
      'priceRange',
      'reservations',
      'restaurantOrCuisine',
      'pageSize',
      'sortBy',
      'latitude',
      'longitude',
    ]),
  )
})

test('CARDM-015 ROLE-009 an acclaimed restaurant needs tier two or three', () => {
  const needed = [0, 1, 2].map((level) => ([0, 1, 2, 3] as const).map((tier) => tierNeeded(level, tier)))
  expect(needed).toEqual([
    [null, null, null, null],
    [2, 2, null, null],
    [3, 3, 3, null],
  ])
})

test('ACCT-006 ACCT-007 ACCT-012 CONST-006 CONST-011 CONST-014 visits, the goal’s year and the constants are those of the contract', () => {
  const progress = {
    status: 'Building',
    remainingDines: 4,
    dinesRequired: 11,
    remainingDollars: null,
    dollarsRequired: null,
    ytdMilesOrDollars: 0,
    vipBegins: null,
  } as const
  expect(visitsOf(progress)).toEqual({ done: 7, total: 11 })
  const inDollars = { ...progress, dollarsRequired: 500 }
  expect(spendingOf({ ...inDollars, remainingDollars: 25.5 })).toEqual({ done: 474_50, total: 500_00 })
  expect(spendingOf({ ...inDollars, remainingDollars: 600 })).toEqual({ done: 0, total: 500_00 })
  expect(visitsOf({ ...progress, dinesRequired: null, remainingDines: 20 })).toEqual({
    done: 0,
    total: defaultDinesRequired,
  })
  expect([
    goalYear(progress, 2026),
    goalYear({ ...progress, status: 'Qualified' }, 2026),
    goalYear({ ...progress, status: 'QualifiedAndBuilding' }, 2026),
  ]).toEqual([2026, 2027, 2027])
  expect(config('skyharbor').maximumCards).toBe(12)
  expect(defaultPoint).toEqual({ latitude: 40.7577, longitude: -73.9857 })
})

test('PART-023 PART-024 PART-025 PART-026 PART-027 PART-030 PART-031 PART-032 PART-034 the remaining options of a program are set where the samples say so', () => {
  expect(config('gallonaire')).toMatchObject({
    generalModalType: 'this-is-big',
    minimumAppVersion: '1.0.0',
    merchantFavorites: true,
    showNetworkLogo: false,
  })
  expect(config('skyharbor')).toMatchObject({
    generalModalType: 'welcome',
    minimumAppVersion: '2.0.0',
    adTagPrefix: 'SKY',
    formServiceCode: 'skyharbor',
  })
  expect(config('orchard').merchantFavorites).toBe(false)
  expect(config('beacon').appAnnouncementModal).toMatchObject({ title: expect.any(String), body: expect.any(String) })
  expect(config('lantern').appAnnouncementModal).toBeUndefined()
  expect(config('lantern').routeMeta).toEqual({})
  expect(config('skyharbor').customerSupport).toMatchObject({
    phone: { href: expect.stringMatching(/^tel:/) },
    email: { display: expect.any(String) },
  })
  expect(config('beacon').copyStates).not.toContain('anonymous')
})
