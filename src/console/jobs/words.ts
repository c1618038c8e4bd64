import { spellOut } from '../../console-kit/spell-out.ts'
import type { ListedJob } from './contract.ts'

const queueNames: Readonly<Record<string, string>> = {
  emails: 'Emails',
  notifications: 'Notifications',
  'statement-credits': 'Statement credits',
  reservations: 'Reservations',
  'recovery-requests': 'Account recoveries',
  'claim-decisions': 'Decided claims',
  'card-moves': 'Moved cards',
  'replaced-cards': 'Replaced cards',
  'feed-uploads': 'Uploaded feed files',
  'review-callbacks': 'Survey reviews',
  tasks: 'Periodic tasks',
}

/** The names of the queues for a list to choose from. */
export const queueOptions = Object.entries(queueNames).map(([value, label]) => ({ value, label }))

/** Returns what the console calls a queue. */
export const queueName = (queue: string): string => queueNames[queue] ?? spellOut(queue)

/** Returns what a job is: its queue, or the periodic task. */
export const jobName = ({ queue, task }: Pick<ListedJob, 'queue' | 'task'>): string =>
  task === null ? queueName(queue) : spellOut(task)

const states: Readonly<Record<ListedJob['state'], { label: string; color: string }>> = {
  failed: { label: 'Failed', color: 'red' },
  waiting: { label: 'Waiting', color: 'gray' },
  retrying: { label: 'Retrying', color: 'orange' },
  running: { label: 'Running', color: 'blue' },
}

/** Returns the state of a job, for a badge. */
export const jobState = ({ state }: Pick<ListedJob, 'state'>) => states[state]

/** What the codes of failed connections mean. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'The other server refused the connection.'],
  [/ECONNRESET|EPIPE|socket hang up|other side closed/i, 'The other server ended the connection.'],
  [/ENOTFOUND|EAI_AGAIN/, 'The name of the other server could not be found.'],
  [/ETIMEDOUT|timed? ?out/i, 'The other server did not answer in time.'],
  [/CERT|self.signed|SSL|TLS/, 'The certificate of the other server was not accepted.'],
  [/^fetch failed$/, 'The other server could not be reached.'],
]

/** Returns the message of an error as a sentence. */
export function errorInWords(message: string): string {
  const cause = causes.find(([pattern]) => pattern.test(message))
  if (cause) return cause[1]
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  return message === '' || /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Returns how often a job was begun, and how often it may be: `2 of 9`. */
export const attemptsText = ({ attempts, maxAttempts }: Pick<ListedJob, 'attempts' | 'maxAttempts'>): string =>
  maxAttempts === null || maxAttempts < attempts ? String(attempts) : `${attempts} of ${maxAttempts}`
