import { type CallGroup, example } from '../../platform/call-examples.ts'
import { registerBonus } from './contract.ts'
import * as schemas from './schemas.ts'

export const bonusExamples: CallGroup = {
  tag: 'Bonuses',
  place: 150,
  pathsPlace: 122,
  description: 'Bonuses that members activate.',
  examples: [example(registerBonus, schemas.registerBonus, { params: { code: 'three-places' }, reply: true })],
}
