import { type CallGroup, example } from '../../platform/call-examples.ts'
import { getVerification, sendVerification, verifyEmail } from './contract.ts'
import * as schemas from './schemas.ts'

const email = 'ana@example.com'

export const verificationExamples: CallGroup = {
  tag: 'Verification',
  place: 90,
  pathsPlace: 75,
  description: 'The proof that the mailbox of an address is the member’s, by a code in an email.',
  examples: [
    example(getVerification, schemas.getVerification, { reply: { email, verifiedAt: null } }),
    example(sendVerification, schemas.sendVerification, { reply: { accepted: true } }),
    example(verifyEmail, schemas.verifyEmail, {
      body: { code: '7K3MD-0QX9T' },
      reply: { email, verifiedAt: '2026-03-02T14:05:00.000Z' },
    }),
  ],
}
