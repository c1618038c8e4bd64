import { z } from 'zod'
import { reason } from '../../console-kit/reason.ts'
import { defineSchemas } from '../../platform/call.ts'
import { emailPattern, toAsciiEmail } from '../../platform/email-address.ts'

const roleName = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'console.team.role_name')

export const GrantOf = z.object({
  role: roleName,
  /** Code of the program; null: all programs, and the installation. */
  program: z.string().max(31).nullable(),
})
export type GrantOf = z.infer<typeof GrantOf>

export const TeamOperator = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  isDisabled: z.boolean(),
  isMe: z.boolean(),
  grants: z.array(GrantOf),
  /** When the operator was last active; null: in none of the sessions of now. */
  usedAt: z.iso.datetime().nullable(),
  passkeys: z.number().int(),
})
export type TeamOperator = z.infer<typeof TeamOperator>

export const listTeam = defineSchemas({
  summary: 'Lists the operators of the programs whose team the caller may see',
  reply: z.object({ operators: z.array(TeamOperator) }),
})

const params = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

export const TeamOperatorDetail = TeamOperator.extend({
  /** Whether the caller may change this operator: it has every permission that the operator has. */
  mayChange: z.boolean(),
  sessions: z.array(z.object({ startedAt: z.iso.datetime(), usedAt: z.iso.datetime(), passkeyVerified: z.boolean() })),
  passkeyNames: z.array(z.object({ name: z.string(), createdAt: z.iso.datetime() })),
})
export type TeamOperatorDetail = z.infer<typeof TeamOperatorDetail>

/** What is refused where operators change each other. */
const errors = { notFound: 404, notGrantable: 403, self: 403, lastAdministrator: 409, conflict: 409 } as const

export const getTeamOperator = defineSchemas({
  summary: 'Returns an operator with grants, sessions and passkeys',
  params,
  reply: TeamOperatorDetail,
  errors: { notFound: 404 },
})

/** Shown once: only hashes are stored. */
/** What is shown once; null: not a new one. */
const Secrets = z.object({ password: z.string().nullable(), code: z.string().nullable() })

export const inviteOperator = defineSchemas({
  summary: 'Adds an operator. The response has the first password and the code for a passkey, which are shown once',
  body: z.object({
    email: z
      .string()
      .overwrite((text) => toAsciiEmail(text.trim()))
      .max(120, 'console.team.email')
      .regex(emailPattern, 'console.team.email'),
    name: z.string().trim().min(1, 'console.team.name').max(80, 'console.team.name'),
    grants: z.array(GrantOf).min(1, 'console.team.grants').max(200),
  }),
  reply: z.object({ operator: TeamOperatorDetail, secrets: Secrets }),
  errors: { ...errors, operatorExists: 409 },
})

export const setOperatorGrants = defineSchemas({
  summary: 'Replaces what an operator may do. `expected` is what the caller saw',
  params,
  body: z.object({
    grants: z.array(GrantOf).max(200),
    expected: z.array(GrantOf).max(200),
    reason,
  }),
  multiline: ['reason'],
  reply: TeamOperatorDetail,
  errors,
})

export const setOperatorDisabled = defineSchemas({
  summary: 'Disables an operator, which ends the sessions and removes the passkeys, or enables one again',
  params,
  body: z.object({ isDisabled: z.boolean(), reason }),
  multiline: ['reason'],
  reply: TeamOperatorDetail,
  errors,
})

export const endOperatorSessions = defineSchemas({
  summary: 'Ends every session of an operator',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: TeamOperatorDetail,
  errors,
})

export const renewEnrollCode = defineSchemas({
  summary: 'Removes an operator’s passkeys, and returns a new code for adding one, which is shown once',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: z.object({ operator: TeamOperatorDetail, secrets: Secrets }),
  errors,
})

export const renewPassword = defineSchemas({
  summary:
    'Replaces an operator’s password by a new one, which is shown once, and ends every session; the passkeys stay',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: z.object({ operator: TeamOperatorDetail, secrets: Secrets }),
  errors,
})

export const TeamRole = z.object({
  name: z.string(),
  label: z.string(),
  isBuiltIn: z.boolean(),
  permissions: z.array(z.string()),
  /** Operators that have it. */
  operators: z.number().int(),
})
export type TeamRole = z.infer<typeof TeamRole>

const Roles = z.object({
  roles: z.array(TeamRole),
  /** Every permission, with what it allows. */
  permissions: z.array(z.object({ name: z.string(), label: z.string() })),
})

export const listRoles = defineSchemas({ summary: 'Lists the roles and what each permits', reply: Roles })

const roleParams = z.object({ name: roleName })

export const saveRole = defineSchemas({
  summary: 'Adds a role of this installation’s own, or changes what it permits',
  params: roleParams,
  body: z.object({
    permissions: z.array(z.string().max(60)).min(1, 'console.team.permissions').max(100),
    /** What the caller saw; null: the role is new. */
    expected: z.array(z.string().max(60)).max(100).nullable(),
  }),
  reply: Roles,
  errors: { ...errors, builtInRole: 409 },
})

export const deleteRole = defineSchemas({
  summary: 'Removes a role that no operator has',
  params: roleParams,
  reply: Roles,
  errors: { ...errors, builtInRole: 409, roleInUse: 409 },
})
