import { type CallGroup, example } from '../../platform/call-examples.ts'
import { getBotChallenge, solveBotChallenge } from './contract.ts'
import * as schemas from './schemas.ts'

const challenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '37cce52a518ae41a13d9d15df2c0d064',
    salt: 'e0035e1f550c25098fb59ad37ec397c6',
    cost: 4000,
    keyLength: 32,
    keyPrefix: '00',
    expiresAt: 1795200900,
    data: { program: 'skyharbor' },
  },
  signature: '76a08ba130b7aa412ea5e2b1897f4ab3156dc6b63e45f2caa5f65a39bac3d73e',
}

export const botCheckExamples: CallGroup = {
  tag: 'Bot check',
  place: 100,
  pathsPlace: 45,
  description: 'Proof of work that forms need after a failed attempt.',
  examples: [
    example(getBotChallenge, schemas.getBotChallenge, { reply: challenge }),
    example(solveBotChallenge, schemas.solveBotChallenge, {
      body: {
        challenge,
        solution: { counter: 163, derivedKey: '00d41f8e5b0c7a92e6fd3b18c4a75f60', time: 840 },
      },
      reply: { token: '1795201200000.nD0cW3mZ8sQyB5rXv1LkTg.8kQyR2vWcXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw' },
    }),
  ],
}
