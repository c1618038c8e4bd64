import type { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type ConsoleProgram = z.infer<typeof schemas.ConsoleProgram>

export const getSession = defineCall<typeof schemas.getSession>()({
  id: 'getSession',
  method: 'GET',
  path: '/api/session',
  access: 'operator',
  permission: 'self',
})
