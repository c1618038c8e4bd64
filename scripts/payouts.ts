import { formatCents } from '../src/platform/money.ts'
import {
  findWatchedCredit,
  insertDecision,
  listHistory,
  listWatchedCredits,
  type WatchedCredit,
} from '../src/rewards/payouts/decision-store.ts'
import { type Decision, decisionsFor } from '../src/rewards/payouts/rules.ts'
import { createUsageExit, readArguments, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Lists the statement credits whose outcome is unknown, and decides about them.

  npm run payouts -- list        --partner beacon
  npm run payouts -- show        --partner beacon CREDIT
  npm run payouts -- ask         --partner beacon CREDIT
  npm run payouts -- return      --partner beacon CREDIT --by NAME --reason TEXT
  npm run payouts -- paid        --partner beacon CREDIT --by NAME --reason TEXT
  npm run payouts -- order       --partner beacon CREDIT --by NAME --reason TEXT
  npm run payouts -- acknowledge --partner beacon CREDIT --by NAME --reason TEXT

ask asks the processor now. return puts the amount back into the member's balance, from where it is ordered again under
another id: only if the processor has certainly not paid it and never will. paid declares it paid. order orders again what
is left in the balance of a deleted account, under a new id. acknowledge ends the notice of a difference that needs
nothing more. A running app carries the decision out, and it stays on record.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments(
  { partner: { type: 'string' }, by: { type: 'string' }, reason: { type: 'string' } },
  stop,
)
const partner = readProgram(values.partner, stop)
const [verb, creditId, ...more] = positionals
const verbs = ['list', 'show', 'ask', 'return', 'paid', 'order', 'acknowledge']
if (verb === undefined || !verbs.includes(verb) || more.length > 0) stop(`What is to be done: ${verbs.join(', ')}?`)
if (verb === 'list' && creditId !== undefined) stop('list has no arguments')
if (verb !== 'list' && creditId === undefined) stop('Which credit? Name its id.')
const isDecision = verb !== 'list' && verb !== 'show' && verb !== 'ask'
const [by, reason] = [values.by?.trim() ?? '', values.reason?.trim() ?? '']
if (isDecision && (by === '' || by.length > 80))
  stop('Who decides it? Name the person with --by (at most 80 characters).')
if (isDecision && (reason === '' || reason.length > 500)) stop('Why? Give a --reason of at most 500 characters.')

const say = (line: string) => process.stdout.write(`${line}\n`)
const lineOf = (credit: WatchedCredit) =>
  [
    credit.creditId,
    formatCents(credit.amountCents),
    credit.createdAt.toISOString(),
    credit.status,
    credit.attention ?? '-',
    `${credit.unanswered} unanswered`,
    credit.lastError ?? '',
  ].join('  ')

const { pools, close } = await connect()
try {
  const db = pools.forPartner(partner)
  const credit = creditId === undefined ? undefined : await findWatchedCredit(db, creditId)
  if (verb === 'list') {
    const credits = await listWatchedCredits(db)
    for (const each of credits) say(lineOf(each))
    if (credits.length === 0) say('The outcome of no credit is unknown.')
  } else if (!credit) {
    throw new Error(`There is no credit ${creditId}.`)
  } else if (verb === 'show') {
    say(lineOf(credit))
    for (const { at, kind, detail } of await listHistory(db, credit.id)) say(`${at.toISOString()}  ${kind}  ${detail}`)
  } else {
    const decision = verb as Decision
    if (!decisionsFor(credit.status, credit.attention).includes(decision))
      throw new Error(
        `${decision} is not possible for a credit that is ${credit.status}, attention: ${credit.attention}.`,
      )
    await insertDecision(db, { creditId: credit.id, decision, reason, by: `command: ${by}` })
    say('Stored. A running app carries it out.')
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
