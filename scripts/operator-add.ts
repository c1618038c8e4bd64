import { randomInt } from 'node:crypto'
import { addOperator } from '../src/operators/service.ts'
import { loadPrograms } from '../src/partners/load-programs.ts'
import { readOptions, usageOf } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Adds somebody who may work at the console, and prints a password that is shown this once.

  npm run operator:add -- --email marta@example.com --name "Marta Ellison" [--role editor|support|admin] [--partners skyharbor,beacon]

Editors work on words; support sees the app as members do; admins may do both, and act for members.
Without --partners the operator may work on every program.`

const options = {
  email: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string', default: 'editor' },
  partners: { type: 'string' },
} as const

const stop: (problem: string) => never = usageOf(usage)

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Four groups of five: 98 bits, and nothing that is read for something else. */
const newPassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  )

const { email = '', name = '', role, partners } = readOptions(options, stop)
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) stop('--email must be an email address')
if (name.trim() === '') stop('--name is required')
if (role !== 'editor' && role !== 'support' && role !== 'admin') stop('--role must be editor, support or admin')
const wanted = partners?.split(',') ?? null
const connection = await connect()
const unknown = wanted?.filter((code) => !loadPrograms(connection.settings.PROGRAMS_DIR).has(code)) ?? []
if (unknown.length > 0) {
  await connection.close()
  stop(`no such program: ${unknown.join(', ')}`)
}
const password = newPassword()
try {
  const added = await addOperator(connection.consolePools.shared, {
    email,
    name: name.trim(),
    role,
    partners: wanted,
    password,
  })
  if (added) process.stdout.write(`${email} may sign in at the console with: ${password}\n`)
  else process.stderr.write(`${email} is an operator already.\n`)
  process.exitCode = added ? 0 : 1
} finally {
  await connection.close()
}
