import { listOutbox } from '../identity/email/contract.ts'
import { type CallGroup, example } from '../platform/call-examples.ts'
import {
  barDiner,
  becomeMember,
  getClock,
  listFlags,
  listStagingCards,
  listStagingMembers,
  loadMembers,
  loadPartnerCards,
  makeMember,
  sendDine,
  setClock,
  setFlag,
} from './contract.ts'

const member = {
  publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA',
  name: 'Ana Ruiz',
  email: 'ana@example.com',
  memberType: 'EnrolledCardMember',
  tierLevel: 'OptedIn',
  active: true,
  hasWebProfile: true,
}
const cardId = 'k2nT8kYw5ZpAhM3v0cXb6r'

export const stagingExamples: CallGroup = {
  tag: 'Staging tools',
  description: 'Tools that simulate external systems. Production does not serve them.',
  examples: [
    example(listStagingCards, { reply: { cards: [{ id: cardId, member: 'Ana Ruiz', lastFour: '4242' }] } }),
    example(setFlag, { body: { kind: 'authFlags', name: 'botCheck', value: false }, reply: { set: true } }),
    example(listFlags, { reply: { flags: [{ kind: 'authFlags', name: 'botCheck', value: true }] } }),
    example(sendDine, {
      body: { cardId, merchantId: 'trattoria-lucia-new-york', amount: '42.10', event: 'auth' },
      reply: { outcome: 'applied', transactionId: '84782884-6c91-4c0e-8b1d-3a5f9e7d2c46' },
    }),
    example(loadPartnerCards, { reply: { loaded: true } }),
    example(barDiner, { body: { email: 'ana@example.com', barred: true }, reply: { barred: true } }),
    example(listStagingMembers, { reply: { members: [member] } }),
    example(makeMember, { body: { state: 'withCard' }, reply: { ...member, password: null } }),
    example(becomeMember, {
      body: { publicId: member.publicId },
      reply: { csrfToken: 'bSe7_38Sv-GwJ7dGW_41JhVqBJENb7bUbynQ03k3SiQ', memberType: 'EnrolledCardMember' },
    }),
    example(loadMembers, {
      body: { lines: '{"email":"ana@example.com","firstName":"Ana","lastName":"Ruiz","zipCode":"10001"}' },
      reply: { members: [{ email: 'ana@example.com', publicId: member.publicId }], problems: [] },
    }),
    example(listOutbox, {
      reply: {
        mails: [
          {
            id: 118,
            recipient: 'ana@example.com',
            subject: 'Welcome to Skyharbor Miles Dining',
            text: 'Hello Ana, you are in.',
            html: '<p>Hello Ana, you are in.</p>',
            attachments: [],
            status: 'sent',
            createdAt: '2026-11-20T18:30:00.000Z',
          },
        ],
      },
    }),
    example(getClock, { reply: { now: '2026-11-20T18:30:00.000Z', isSet: false } }),
    example(setClock, {
      body: { at: '2026-12-24T18:30:00Z' },
      reply: { now: '2026-12-24T18:30:00.000Z', isSet: true },
    }),
  ],
}
