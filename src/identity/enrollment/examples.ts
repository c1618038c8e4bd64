import { type CallGroup, example } from '../../platform/call-examples.ts'
import { join, registerProspect, validateEmail } from './contract.ts'
import * as schemas from './schemas.ts'

export const enrollmentExamples: CallGroup = {
  tag: 'Enrollment',
  place: 60,
  pathsPlace: 115,
  description: 'Joining a program. Which fields are required depends on the program.',
  examples: [
    example(join, schemas.join, {
      body: {
        email: 'ana@example.com',
        password: 'a long passphrase of mine',
        passwordConfirm: 'a long passphrase of mine',
        firstName: 'Ana',
        lastName: 'Ruiz',
        zipCode: '10001',
        partnerNumber: 'SKY4410982',
        emailOptIn: true,
        termsAccepted: true,
        utmSource: 'newsletter',
      },
      reply: {
        publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA',
        memberType: 'NonCardMember',
        csrfToken: 'bSe7_38Sv-GwJ7dGW_41JhVqBJENb7bUbynQ03k3SiQ',
      },
    }),
    example(registerProspect, schemas.registerProspect, {
      body: { email: 'ana@example.com', utmSource: 'newsletter' },
      reply: { accepted: true },
    }),
    example(validateEmail, schemas.validateEmail, { query: { email: 'ana@example.com' }, reply: { isValid: true } }),
  ],
}
