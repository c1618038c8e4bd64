import { type CallGroup, example } from '../../platform/call-examples.ts'
import { activate, activateById } from './contract.ts'
import * as schemas from './schemas.ts'

const publicId = 'hM3v0cXb6rQ2nT8kYw5ZpA'

export const activationExamples: CallGroup = {
  tag: 'Activation',
  place: 70,
  pathsPlace: 85,
  description: 'Activating an account that the partner opened for its customer.',
  examples: [
    example(activate, schemas.activate, { body: { publicId }, reply: { publicId, tierLevel: 'OptedIn' } }),
    example(activateById, schemas.activateById, { params: { publicId }, reply: { publicId, tierLevel: 'OptedIn' } }),
  ],
}
