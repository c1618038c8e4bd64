import { type CallGroup, example } from '../../platform/call-examples.ts'
import { confirmRecovery, fixCredentials, requestRecovery, updateRecovery } from './contract.ts'
import * as schemas from './schemas.ts'

const resetToken = 'Zp3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5Zp'

export const recoveryExamples: CallGroup = {
  tag: 'Recovery',
  place: 80,
  description: 'A new password by a code in an email, and a new email address.',
  examples: [
    example(requestRecovery, schemas.requestRecovery, {
      body: { userName: 'ana@example.com', returnTo: '/search' },
      reply: { accepted: true },
    }),
    example(confirmRecovery, schemas.confirmRecovery, { body: { code: '482913' }, reply: { resetToken } }),
    example(updateRecovery, schemas.updateRecovery, {
      body: { resetToken, password: 'another long passphrase', passwordConfirm: 'another long passphrase' },
      reply: { updated: true, removedPasskeys: 1, linkedCards: 2, returnTo: '/search' },
    }),
    example(fixCredentials, schemas.fixCredentials, {
      body: { email: 'ana@example.com', emailConfirm: 'ana@example.com' },
      reply: { email: 'ana@example.com' },
    }),
  ],
}
