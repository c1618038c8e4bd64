import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const getBotChallenge = defineCall<typeof schemas.getBotChallenge>()({
  id: 'getBotChallenge',
  method: 'GET',
  path: '/api/BotCheck/Challenge',
  access: 'anyone',
})

export const solveBotChallenge = defineCall<typeof schemas.solveBotChallenge>()({
  id: 'solveBotChallenge',
  method: 'POST',
  path: '/api/BotCheck/Solve',
  access: 'anyone',
})
