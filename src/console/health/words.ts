import { MINUTE } from '../../platform/time.ts'
import type { OutsideSystem } from './contract.ts'

interface SystemWords {
  name: string
  /** What it does for the program. */
  text: string
  /** What is so without it. */
  without: string
  /** Where the lists behind the numbers are. */
  lists: { waiting: string; failed: string; isForms?: true }
}

const jobsOf = (queue: string) => ({
  waiting: `jobs?queue=${queue}`,
  failed: `jobs?state=failed&queue=${queue}`,
})

/** The outside systems as the console names them. */
export const systems: Readonly<Record<OutsideSystem['kind'], SystemWords>> = {
  cardNetwork: {
    name: 'Card network',
    text: 'Sends the transactions. Those without a card or a restaurant wait.',
    without: '',
    lists: { waiting: 'unmatched', failed: 'feed-files' },
  },
  payouts: {
    name: 'Card processor',
    text: 'Pays statement credits.',
    without: 'Not set up: statement credits are only written into the database.',
    lists: { waiting: 'payouts', failed: 'payouts', isForms: true },
  },
  email: {
    name: 'Mail server',
    text: 'Sends the emails to members.',
    without: 'Not set up: emails are stored, and not sent.',
    lists: jobsOf('emails'),
  },
  notifications: {
    name: 'Push services',
    text: 'Bring notifications to phones and browsers; those by email are counted, too.',
    without: '',
    lists: jobsOf('notifications'),
  },
  booking: {
    name: 'Booking server',
    text: 'Reserves tables.',
    without: 'Not set up: restaurants use the included booking.',
    lists: jobsOf('reservations'),
  },
  surveys: {
    name: 'Form service',
    text: 'Passes the reviews of members on.',
    without: '',
    lists: jobsOf('review-callbacks'),
  },
}

/** Work that waits for longer is late. */
const lateMs = 15 * MINUTE

/** Returns the state of a system at a time, for a badge. */
export function systemState(system: OutsideSystem, now: number): { label: string; color: string } {
  const { retrying, failed, waiting, oldestDueAt, lastSuccessAt, isSetUp } = system
  if (retrying > 0) return { label: 'Failing', color: 'red' }
  if (failed > 0) return { label: 'Has failed', color: 'orange' }
  if (oldestDueAt !== null && now - Date.parse(oldestDueAt) > lateMs) return { label: 'Late', color: 'orange' }
  if (!isSetUp) return { label: 'Not set up', color: 'gray' }
  return lastSuccessAt !== null
    ? { label: 'Working', color: 'green' }
    : { label: waiting > 0 ? 'Waiting' : 'Idle', color: 'gray' }
}
