import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { GrantOf, TeamOperator, TeamOperatorDetail, TeamRole } from './schemas.ts'

export const listTeam = defineCall<typeof schemas.listTeam>()({
  id: 'listTeam',
  method: 'GET',
  path: '/api/operators',
  access: 'operator',
  permission: 'operators.read',
})

export const getTeamOperator = defineCall<typeof schemas.getTeamOperator>()({
  id: 'getTeamOperator',
  method: 'GET',
  path: '/api/operators/:id',
  access: 'operator',
  permission: 'operators.read',
})

export const inviteOperator = defineCall<typeof schemas.inviteOperator>()({
  id: 'inviteOperator',
  method: 'POST',
  path: '/api/operators',
  access: 'operator',
  permission: 'operators.manage',
})

export const setOperatorGrants = defineCall<typeof schemas.setOperatorGrants>()({
  id: 'setOperatorGrants',
  method: 'PUT',
  path: '/api/operators/:id/grants',
  access: 'operator',
  permission: 'operators.manage',
})

export const setOperatorDisabled = defineCall<typeof schemas.setOperatorDisabled>()({
  id: 'setOperatorDisabled',
  method: 'POST',
  path: '/api/operators/:id/disabled',
  access: 'operator',
  permission: 'operators.manage',
})

export const endOperatorSessions = defineCall<typeof schemas.endOperatorSessions>()({
  id: 'endOperatorSessions',
  method: 'POST',
  path: '/api/operators/:id/sign-out',
  access: 'operator',
  permission: 'operators.manage',
})

export const renewEnrollCode = defineCall<typeof schemas.renewEnrollCode>()({
  id: 'renewEnrollCode',
  method: 'POST',
  path: '/api/operators/:id/code',
  access: 'operator',
  permission: 'operators.manage',
})

export const renewPassword = defineCall<typeof schemas.renewPassword>()({
  id: 'renewPassword',
  method: 'POST',
  path: '/api/operators/:id/password',
  access: 'operator',
  permission: 'operators.manage',
})

export const listRoles = defineCall<typeof schemas.listRoles>()({
  id: 'listRoles',
  method: 'GET',
  path: '/api/roles',
  access: 'operator',
  permission: 'operators.read',
})

export const saveRole = defineCall<typeof schemas.saveRole>()({
  id: 'saveRole',
  method: 'PUT',
  path: '/api/roles/:name',
  access: 'operator',
  permission: 'operators.manage',
})

export const deleteRole = defineCall<typeof schemas.deleteRole>()({
  id: 'deleteRole',
  method: 'DELETE',
  path: '/api/roles/:name',
  access: 'operator',
  permission: 'operators.manage',
})
