import { type CallGroup, example } from '../../platform/call-examples.ts'
import { deleteAccount, exportData } from './contract.ts'
import * as schemas from './schemas.ts'

export const privacyExamples: CallGroup = {
  tag: 'Privacy',
  place: 200,
  description: 'The member’s data as a file, and the deletion of the account.',
  examples: [
    example(exportData, schemas.exportData, {
      reply: {
        program: 'Skyharbor Miles Dining',
        exportedAt: '2026-11-20T18:30:00.000Z',
        data: { members: [{ first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com' }] },
        leftOut: { cards: 'Card numbers: we never have them. The card vault keeps them sealed.' },
      },
    }),
    example(deleteAccount, schemas.deleteAccount, { body: { confirmation: 'DELETE' }, reply: { deleted: true } }),
  ],
}
