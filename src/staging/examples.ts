import { listOutbox } from '../identity/email/contract.ts'
import * as emailSchemas from '../identity/email/schemas.ts'
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
import * as schemas from './schemas.ts'

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
  place: 230,
  pathsPlace: 185,
  description: 'Tools that simulate external systems. Production does not serve them.',
  examples: [
    example(listStagingCards, schemas.listStagingCards, {
      reply: { cards: [{ id: cardId, member: 'Ana Ruiz', lastFour: '4242' }] },
    }),
    example(setFlag, schemas.setFlag, {
      body: { kind: 'authFlags', name: 'botCheck', value: false },
      reply: { set: true },
    }),
    example(loadPartnerCards, schemas.loadPartnerCards, { reply: { loaded: true } }),
    example(barDiner, schemas.barDiner, { body: { email: 'ana@example.com', barred: true }, reply: { barred: true } }),
    example(sendDine, schemas.sendDine, {
      body: { cardId, merchantId: 'trattoria-lucia-new-york', amount: '42.10', event: 'auth' },
      reply: { outcome: 'applied', transactionId: '84782884-6c91-4c0e-8b1d-3a5f9e7d2c46' },
    }),
    example(listStagingMembers, schemas.listStagingMembers, { reply: { members: [member] } }),
    example(makeMember, schemas.makeMember, { body: { state: 'withCard' }, reply: { ...member, password: null } }),
    example(becomeMember, schemas.becomeMember, {
      body: { publicId: member.publicId },
      reply: { csrfToken: 'bSe7_38Sv-GwJ7dGW_41JhVqBJENb7bUbynQ03k3SiQ', memberType: 'EnrolledCardMember' },
    }),
    example(loadMembers, schemas.loadMembers, {
      body: { lines: '{"email":"ana@example.com","firstName":"Ana","lastName":"Ruiz","zipCode":"10001"}' },
      reply: { members: [{ email: 'ana@example.com', publicId: member.publicId }], problems: [] },
    }),
    example(getClock, schemas.getClock, { reply: { now: '2026-11-20T18:30:00.000Z', isSet: false } }),
    example(setClock, schemas.setClock, {
      body: { at: '2026-12-24T18:30:00Z' },
      reply: { now: '2026-12-24T18:30:00.000Z', isSet: true },
    }),
    example(listFlags, schemas.listFlags, { reply: { flags: [{ kind: 'authFlags', name: 'botCheck', value: true }] } }),
    example(listOutbox, emailSchemas.listOutbox, {
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
  ],
}
