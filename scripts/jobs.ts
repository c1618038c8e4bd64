import { openDeadLetters } from '../src/platform/jobs/dead-letters.ts'
import { createUsageExit, readArguments } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Lists, retries and removes background jobs that have failed for good: emails, payouts and others.

  npm run jobs -- list
  npm run jobs -- retry   ID [ID …] | --all
  npm run jobs -- discard ID [ID …]

retry moves jobs back to their queues, where a running app executes them. What is done meanwhile is not done again.
discard removes them; their emails and payouts keep the state that they have.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ all: { type: 'boolean', default: false } }, stop)
const [verb, ...ids] = positionals
if (verb !== 'list' && verb !== 'retry' && verb !== 'discard') stop('What is to be done: list, retry or discard?')
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const wrong = ids.find((id) => !uuid.test(id))
if (wrong !== undefined) stop(`Not the id of a job: ${wrong}`)
if (verb === 'list' && (ids.length > 0 || values.all)) stop('list has no arguments')
if (verb === 'retry' && values.all === ids.length > 0) stop('Which jobs? Name their ids, or --all.')
if (verb === 'discard' && (values.all || ids.length === 0)) stop('Which jobs? Name their ids.')

const say = (line: string) => process.stdout.write(`${line}\n`)
const { jobsUrl, close } = await connect()
const letters = await openDeadLetters(jobsUrl)
try {
  const failed = await letters.list()
  const unknown = ids.filter((id) => !failed.some((job) => job.id === id))
  if (unknown.length > 0) {
    process.stderr.write(`No such failed job: ${unknown.join(', ')}\n`)
    process.exitCode = 1
  } else if (verb === 'list') {
    for (const { id, queue, partnerId, row, failedAt, error } of failed)
      say(`${id}  ${failedAt.toISOString()}  ${partnerId}  ${queue} ${row}  ${error}`)
    if (failed.length === 0) say('No job has failed.')
  } else if (verb === 'retry') {
    say(`${await letters.retry(values.all ? undefined : ids)} jobs are retried.`)
  } else {
    await letters.discard(ids)
    say(`${ids.length} jobs are removed.`)
  }
} finally {
  await letters.close()
  await close()
}
