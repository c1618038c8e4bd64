import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
  newEnrollCode,
  newPassword,
  resetPassword,
  resetSecondFactor,
} from '../src/console/operators/service.ts'
import { builtInRole, builtInRoles } from '../src/console-kit/permissions.ts'
import { isLegible } from '../src/platform/legible-text.ts'
import { createUsageExit, readArguments, readPrograms } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Adds and changes operators, the users of the console.

  npm run operator -- list
  npm run operator -- add --email marta@example.com --name "Marta Ellison" [--role ROLE] [--partners skyharbor,beacon]
  npm run operator -- role --email marta@example.com --role ROLE [--partners skyharbor,beacon]
  npm run operator -- disable|enable|password|code --email marta@example.com

ROLE is viewer, support, marketer, finance, restaurant, manager or administrator; without it, marketer. The console shows
what each may do. Without --partners an operator may work on every program. role replaces all roles that an operator has;
several are given in the console.

add prints a password and a code for the first passkey; neither is shown again. password sets a new password; code sets
a new code and removes the passkeys. A code is valid once within 7 days. password, code and disable end every session;
after disable the operator needs a new code.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments(
  {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    partners: { type: 'string' },
    'new-code': { type: 'boolean', default: false },
  },
  stop,
)
const [named = '', ...more] = positionals
// `operator:add --new-code` is the former name of `code`.
const verb = named === 'add' && values['new-code'] ? 'code' : named
if (more.length > 0) stop(`Not known: ${more.join(' ')}`)
const { email = '', name = '' } = values
const role = builtInRole(values.role ?? (verb === 'add' ? 'marketer' : ''))
const partners = values.partners?.split(',') ?? null
const known = readPrograms()
const unknown = partners?.filter((code) => !known.has(code)) ?? []
if (unknown.length > 0) stop(`no such program: ${unknown.join(', ')}`)

/** An error whose message is shown to the user of the command. */
class CommandError extends Error {}

type Pools = Awaited<ReturnType<typeof connect>>['consolePools']
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The action of each verb; it returns false when there is no such operator. */
const verbs: Record<string, (db: Pools['shared']) => Promise<boolean>> = {
  async list(db) {
    for (const operator of await listOperators(db)) {
      const byRole = Map.groupBy(operator.grants, (grant) => grant.role)
      const roles = [...byRole].map(
        ([name, grants]) => `${name}  ${grants.map((grant) => grant.partnerId ?? 'every program').join(',')}`,
      )
      const state = operator.disabled ? 'disabled' : 'enabled'
      say(`${operator.email}  ${roles.join(' + ') || 'no role'}  ${state}  ${operator.name}`)
    }
    return true
  },
  async add(db) {
    const [password, enrollCode] = [newPassword(), newEnrollCode()]
    const operator = { email, name: name.trim(), role: role ?? 'marketer', partners, password, enrollCode }
    const added = await addOperator(db, operator)
    if (!added) throw new CommandError(`${email} is an operator already.`)
    say(`${email} may sign in at the console with: ${password}`)
    say(`The first passkey is added with the code: ${enrollCode}`)
    return true
  },
  async role(db) {
    const changed = await changeRole(db, { email, role: role ?? 'marketer', partners })
    if (changed) say(`${email} is now ${role}, for ${partners?.join(', ') ?? 'every program'}.`)
    return changed
  },
  async disable(db) {
    const changed = await disableOperator(db, email)
    if (changed) say(`${email} is disabled.`)
    return changed
  },
  async enable(db) {
    const changed = (await enableOperator(db, email)) !== undefined
    if (changed) say(`${email} is enabled. A passkey needs a new code: npm run operator -- code --email ${email}`)
    return changed
  },
  async password(db) {
    const password = newPassword()
    const changed = await resetPassword(db, email, password)
    if (changed) say(`${email} may sign in at the console with: ${password}`)
    return changed
  },
  async code(db) {
    const enrollCode = newEnrollCode()
    const changed = await resetSecondFactor(db, email, enrollCode)
    if (changed) say(`${email} may add a passkey with the code: ${enrollCode}`)
    return changed
  },
}

const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
if (!work) stop('What is to be done: list, add, role, disable, enable, password or code?')
if (verb !== 'list' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) stop('--email must be an email address')
if (verb === 'add' && name.trim() === '') stop('--name is required')
if (!isLegible(name)) stop('--name has a line break or an invisible character')
if ((verb === 'add' || verb === 'role') && !role) stop(`--role must be one of ${Object.keys(builtInRoles).join(', ')}`)
const { consolePools, close } = await connect()
try {
  if (!(await work(consolePools.shared))) {
    process.stderr.write(`No operator ${email} who could be changed so.\n`)
    process.exitCode = 1
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
