import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { insertEmail } from '../../src/identity/email/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { shortenLease } from '../support/only-jobs.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { spawnApp } from '../support/test-server.ts'

const kills = scaled({ full: 200, short: 3 })
const emails = kills + 20
const harness = setUpTestHarness()
beforeAll(async () => {
  await shortenLease(harness.ownerUrl, 'emails')
})

async function queueEmails(): Promise<void> {
  const { db } = createTestContext(harness, 'beacon')
  const memberId = await addMember(db)
  await inTransaction(db, async (tx) => {
    for (let about = 0; about < emails; about++) {
      const parts = { recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
      await insertEmail(tx, { memberId, topic: 'test', about: String(about), ...parts })
    }
  })
}

async function countByStatus(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from emails group by 1`.execute(createTestContext(harness, 'beacon').db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** Starts a process that sends emails; calls back with each message id that the mail server accepts. */
function startSender(how: 'hang' | 'send', accepted: (messageId: string) => void) {
  const sender = spawnApp(['tests/support/email-worker.ts', harness.url, how])
  createInterface({ input: sender.stdout }).on('line', accepted)
  const ended = new Promise<void>((resolve) => sender.once('exit', () => resolve()))
  return {
    ended,
    kill: () => {
      sender.kill('SIGKILL')
      return ended
    },
  }
}

// Each kill takes as long as a process takes to start.
const forever = { timeout: 0 }

test(
  'senders that are killed between sending and recording lose no email, and repeat each at most once per kill',
  forever,
  async () => {
    await queueEmails()
    const accepted: string[] = []
    for (let kill = 1; kill <= kills; kill++) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const sender = startSender('hang', (messageId) => {
        accepted.push(messageId)
        resolve()
      })
      await promise
      await sender.kill()
    }
    // Nothing was recorded.
    expect(await countByStatus()).toEqual({ waiting: emails })
    const sender = startSender('send', (messageId) => accepted.push(messageId))
    await expect.poll(countByStatus, { timeout: 60_000 }).toEqual({ sent: emails })
    await sender.kill()
    expect(new Set(accepted).size).toBe(emails)
    expect(accepted).toHaveLength(emails + kills)
  },
)
