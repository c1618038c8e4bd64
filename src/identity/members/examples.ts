import { type CallGroup, example } from '../../platform/call-examples.ts'
import { type ConsentCenter, chooseConsent, getConsents, getKnownMember, getMember, type Member } from './contract.ts'
import { updateMember } from './profile/contract.ts'
import * as profileSchemas from './profile/schemas.ts'
import * as schemas from './schemas.ts'

const member: Member = {
  publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA',
  familyId: 'f8kYw5ZpAhM3v0cXb6rQ2n',
  referralCode: 'K7QW2M',
  firstName: 'Ana',
  lastName: 'Ruiz',
  email: 'ana@example.com',
  emailIsShared: false,
  emailOptIn: true,
  phoneNumber: '2125550123',
  smsOptIn: false,
  address: { address1: '350 Fifth Avenue', address2: '', city: 'New York', state: 'NY', zipCode: '10001' },
  partnerNumber: 'SKY4410982',
  tierLevel: 'OptedIn',
  tierUntil: null,
  memberType: 'EnrolledCardMember',
  hasWebProfile: true,
  active: true,
  enrollmentSource: null,
  joinDate: '2026-03-02',
  mustFixCredentials: false,
  diningProgress: {
    status: 'Building',
    remainingDines: 4,
    dinesRequired: 11,
    remainingDollars: null,
    dollarsRequired: null,
    ytdMilesOrDollars: 1260,
    vipBegins: null,
  },
  activeBonuses: [
    {
      code: 'three-places',
      bonusStatus: 'Enrolled',
      createDateUtc: '2026-11-01T09:00:00.000Z',
      isNewMemberBonus: false,
      description: '500 miles for three restaurants',
      memberIsEligibleForNMB: false,
    },
  ],
}

const consents: ConsentCenter = {
  choices: [
    {
      channel: 'email',
      topic: 'offers',
      granted: true,
      wording: 'Email me offers and news. Members who receive emails earn a higher rate.',
    },
  ],
  history: [
    {
      channel: 'email',
      topic: 'offers',
      granted: true,
      wording: 'Email me offers and news. Members who receive emails earn a higher rate.',
      version: '2026-01',
      at: '2026-03-02T14:05:00.000Z',
      source: 'join',
    },
  ],
}

export const memberExamples: CallGroup = {
  tag: 'Members',
  place: 110,
  description: 'The signed-in member: profile and consents. A known member is one whose public id is in the address.',
  examples: [
    example(getMember, schemas.getMember, { reply: member }),
    example(updateMember, profileSchemas.updateMember, {
      body: {
        firstName: 'Ana',
        lastName: 'Ruiz',
        address1: '350 Fifth Avenue',
        city: 'New York',
        state: 'NY',
        zipCode: '10001',
        phoneNumber: '2125550123',
        emailOptIn: true,
      },
      reply: member,
    }),
    example(getConsents, schemas.getConsents, { reply: consents }),
    example(chooseConsent, schemas.chooseConsent, {
      body: { channel: 'email', topic: 'offers', granted: true },
      reply: consents,
    }),
    example(getKnownMember, schemas.getKnownMember, {
      params: { publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA' },
      reply: {
        publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA',
        firstName: 'Ana',
        tierLevel: 'NonActivated',
        memberType: 'NonCardMember',
        hasWebProfile: false,
        active: false,
        interfaceType: 'known',
        token: '1795201800000.q3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5Zpk',
      },
    }),
  ],
}
